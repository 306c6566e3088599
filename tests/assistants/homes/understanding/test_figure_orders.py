"""However the parts of a question are ordered, joined and written, the figures are the same."""

from datetime import date
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from madang.assistants.homes.tools.figures import FigureRequest, read_figures

TODAY = date(2026, 11, 15)
EOK, MAN = 100_000_000, 10_000
few = settings(max_examples=60, deadline=None)
joints = st.sampled_from([" ", ", ", " / "])


def written(amount: int) -> st.SearchStrategy[str]:
    """A sum of whole 천만 as people write it."""
    eok, rest = divmod(amount // MAN, 10_000)
    thousands = rest // 1000
    if not eok:
        return st.sampled_from([f"{thousands}천", f"{thousands}천만원", f"{thousands},000만원"])
    if not thousands:
        return st.sampled_from([f"{eok}억", f"{eok}억원", f"{eok}억 원"])
    return st.sampled_from(
        [f"{eok}억{thousands}천", f"{eok}억 {thousands}천", f"{eok}억 {thousands}천만원", f"{eok}.{thousands}억"]
    )


def sums(lowest: int, highest: int) -> st.SearchStrategy[tuple[int, str]]:
    amounts = st.integers(lowest, highest).map(lambda count: count * 1000 * MAN)
    return amounts.flatmap(lambda amount: written(amount).map(lambda text: (amount, text)))


def first(question: str) -> FigureRequest:
    requests = read_figures(question, TODAY)
    assert requests, question
    assert not requests[0].missing, question
    return requests[0]


@few
@given(data=st.data(), loan=sums(3, 60), joint=joints, rate=st.sampled_from(["3.5", "4", "4.25", "5"]))
def test_a_loan_in_any_order(data: st.DataObject, loan: tuple[int, str], joint: str, rate: str) -> None:
    years = data.draw(st.sampled_from([10, 15, 20, 30, 40]))
    principal = data.draw(st.sampled_from(["{} 대출", "대출 {}", "주담대 {}", "{}을 빌려"])).format(loan[1])
    price = data.draw(st.sampled_from(["금리 {}%", "연 {}%", "{}프로", "금리 {}"])).format(rate)
    parts = data.draw(st.permutations([principal, price, f"{years}년"]))
    request = first(joint.join(parts) + " 원리금균등 월 얼마")
    assert request.calculator == "loan_payment"
    assert (request.inputs["principal"], request.inputs["years"]) == (loan[0], years)
    assert Decimal(str(request.inputs["annual_rate"])) == Decimal(rate) / 100


@few
@given(data=st.data(), price=sums(15, 90), deposit=sums(8, 80), debt=sums(2, 20))
def test_a_home_its_deposit_and_its_debt_in_any_order(
    data: st.DataObject, price: tuple[int, str], deposit: tuple[int, str], debt: tuple[int, str]
) -> None:
    parts = [
        data.draw(st.sampled_from(["시세 {}", "매매가 {}", "집값이 {}", "{}짜리 아파트"])).format(price[1]),
        data.draw(st.sampled_from(["전세 {}", "보증금 {}", "제 보증금은 {}"])).format(deposit[1]),
        data.draw(st.sampled_from(["근저당 {}", "융자 {}", "선순위 {}", "채권최고액 {}"])).format(debt[1]),
    ]
    joint = data.draw(st.sampled_from([", ", " / ", "이고 ", "인데 "]))
    request = first(joint.join(data.draw(st.permutations(parts))) + "일 때 전세가율 몇 퍼센트")
    assert request.calculator == "jeonse_risk"
    read = [request.inputs[name] for name in ("price", "deposit", "senior_debt")]
    assert read == [price[0], deposit[0], debt[0]]


@few
@given(data=st.data(), before=sums(12, 70), share=st.integers(1, 9))
def test_a_deposit_that_falls_however_it_is_told(data: st.DataObject, before: tuple[int, str], share: int) -> None:
    after = before[0] * share // 10 // (1000 * MAN) * 1000 * MAN or 1000 * MAN
    low, cut = data.draw(written(after)), data.draw(written(before[0] - after))
    told = [
        f"전세 {before[1]}을 보증금 {low}으로 낮추면 월세 얼마까지",
        f"{before[1]} 전세 중 {cut}을 월세로 돌리면 월 얼마",
        f"보증금을 {before[1]}에서 {cut} 줄이면 월세 얼마 더 내야 하나요",
        f"전세 {before[1]}인데 {low}만 남기고 나머지는 월세로 하면 얼마",
        f"전세금 {before[1]} 중에 {cut} 돌려받고 월세 내면 최대 얼마",
        f"전세 {before[1]} → 보증금 {low} 월세 전환 시 월세 상한",
    ]
    request = first(data.draw(st.sampled_from(told)))
    assert request.calculator == "conversion"
    assert request.inputs["deposit_before"] - request.inputs["deposit_after"] == before[0] - after
