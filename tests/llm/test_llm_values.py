"""The algebra of accounts and budgets, and the breaker's phases."""

from hypothesis import given, settings
from hypothesis import strategies as st

from madang.llm import Account, Breaker, estimate_tokens, merge_accounts, totals
from madang.llm.tokens import fit, trim

names = st.sampled_from(["intent", "answer", "keywords"])
counters = st.dictionaries(st.sampled_from(["calls", "prompt_tokens", "latency_ms"]), st.integers(0, 10**9), max_size=3)
accounts: st.SearchStrategy[Account] = st.dictionaries(names, st.dictionaries(names, counters, max_size=2), max_size=3)
texts = st.text(st.sampled_from("가나 다a1.\n"), max_size=400)


@given(accounts, accounts, accounts)
def test_merging_accounts_is_associative_and_commutative(a: Account, b: Account, c: Account) -> None:
    assert merge_accounts(merge_accounts(a, b), c) == merge_accounts(a, merge_accounts(b, c))
    assert merge_accounts(a, b) == merge_accounts(b, a)
    assert merge_accounts(a, {}) == a


@given(accounts, accounts)
def test_totals_add_up(a: Account, b: Account) -> None:
    together = totals(merge_accounts(a, b))
    assert together["total_tokens_used"] == totals(a)["total_tokens_used"] + totals(b)["total_tokens_used"]


@given(texts, st.integers(0, 200))
def test_trimming_keeps_the_limit_and_short_texts(text: str, limit: int) -> None:
    cut = trim(text, limit)
    assert estimate_tokens(cut) <= limit
    if estimate_tokens(text) <= limit:
        assert cut == text


@settings(max_examples=60)
@given(st.dictionaries(names, texts), st.integers(0, 400))
def test_inputs_fit_the_budget_and_shorter_ones_than_the_cut_stay_whole(values: dict[str, str], limit: int) -> None:
    fitted, cut = fit(values, limit)
    assert sum(map(estimate_tokens, fitted.values())) <= limit
    whole = [estimate_tokens(values[name]) for name in values if name not in cut]
    assert all(estimate_tokens(values[name]) >= max(whole, default=0) for name in cut)
    assert all(fitted[name] == values[name] for name in values if name not in cut)


def test_the_breaker_opens_after_failures_in_a_row_only() -> None:
    breaker = Breaker(lambda: 0.0, threshold=3)
    for _ in range(5):
        breaker.failed()
        breaker.failed()
        breaker.succeeded()
    assert breaker.phase == "closed"
    for _ in range(3):
        breaker.failed()
    assert not breaker.allow()


def test_a_half_open_breaker_lets_one_probe_through_and_closes_or_opens_by_it() -> None:
    now = [0.0]
    breaker = Breaker(lambda: now[0], threshold=1, cooldown=10)
    breaker.failed()
    phases: list[str] = [breaker.phase]
    now[0] = 10.0
    phases.append(breaker.phase)
    assert phases == ["open", "half_open"]
    assert [breaker.allow(), breaker.allow()] == [True, False]
    breaker.failed()
    assert not breaker.allow()
    now[0] = 20.0
    assert breaker.allow()
    breaker.abandoned()
    assert breaker.allow()
    breaker.succeeded()
    assert breaker.phase == "closed"
