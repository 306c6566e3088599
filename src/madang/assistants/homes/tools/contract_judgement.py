"""Whether a statement, as it is meant, is a breach of a rule."""

from madang.assistants.homes.tools.contract_checks import CHECKS
from madang.assistants.homes.tools.contract_rules import Breach, ContractRule
from madang.assistants.homes.tools.contract_statements import Statement
from madang.assistants.homes.tools.contract_terms import Terms
from madang.assistants.homes.tools.contract_words import concepts


def mentions(rule: ContractRule, statement: Statement) -> bool:
    """Whether the statement is about what the rule is about."""
    return _has(rule.breaches[0].topic, statement.whole)


def objections(rule: ContractRule, statement: Statement, terms: Terms) -> list[Breach]:
    """The ways of breaking the rule that fit the statement."""
    return [breach for breach in rule.breaches if _fits(breach, statement, terms)]


def _fits(breach: Breach, statement: Statement, terms: Terms) -> bool:
    if not (_every(breach.all, statement.whole) and _every(breach.when, statement.condition)):
        return False
    if not (_every(breach.main, statement.main) and _every(breach.act, statement.act)):
        return False
    if not _every(breach.near, statement.around):
        return False
    if _any(breach.none, statement.whole) or _any(breach.none_main, statement.main):
        return False
    if _any(breach.none_around, statement.around):
        return False
    return _meant(breach, statement) and (breach.check is None or CHECKS[breach.check](statement, terms))


def _meant(breach: Breach, statement: Statement) -> bool:
    """Who does it, whether it is denied, and to whose cost."""
    if breach.actor and statement.actor not in (breach.actor, None):
        return False
    if breach.not_actor and statement.actor == breach.not_actor:
        return False
    if breach.polarity and statement.negative != (breach.polarity == "negative"):
        return False
    if not statement.negative and _any(breach.despite, statement.conceded):
        return False
    if statement.negative and _any(breach.kept, statement.main):
        return False
    if breach.accepts and not statement.accepts:
        return False
    if breach.bears and not _tenant_bears(statement):
        return False
    if breach.denies and not _denies(statement):
        return False
    return breach.denied is None or _is_denied(breach, statement)


def _tenant_bears(statement: Statement) -> bool:
    """The tenant, named or being who leaves, or out of the deposit."""
    if not statement.negative and _has("out_of_deposit", statement.main):
        return True
    if statement.bearer is None and not statement.negative:
        return statement.actor is None and _has("leave|himself|handing_back", statement.around)
    return statement.bearer == "tenant"


def _denies(statement: Statement) -> bool:
    """Whether something is taken away: a denial (포기, 거절 …) or a negation, but not both."""
    return _has("deny", statement.main) != statement.negative


def _is_denied(breach: Breach, statement: Statement) -> bool:
    """Whether the tenant's right is refused, given up, put off, made to depend on consent, or punished."""
    right = breach.denied or ""
    if _has(right, statement.main):
        return _is_refused(breach, statement)
    if not _has(right, statement.condition):
        return False
    granting = statement.actor == "landlord" and _has("grant", statement.main)
    if statement.negative and granting:
        return not _has("hinder", statement.main)
    if statement.negative and statement.despite and statement.actor != "landlord":
        return _has("claiming", statement.act)
    if statement.condition_negative:
        return False
    if not statement.negative and statement.actor == "landlord" and _has("refusal", statement.main):
        return True
    if statement.despite:
        return False
    if breach.consent and _has("consent", statement.main) and not statement.negative:
        return True
    harm = _has("harm_denied", statement.main) if statement.negative else _has("harm", statement.main)
    return breach.chill and harm


def _is_refused(breach: Breach, statement: Statement) -> bool:
    # A tenant who may not refuse something keeps no right by it.
    hindered = _has("hinder_self" if statement.actor == "tenant" else "hinder", statement.act)
    hindered = hindered or (statement.actor != "tenant" and _has("hinder_reason", statement.main))
    if statement.negative:
        # A landlord who promises not to hinder it refuses nothing.
        landlord_may = statement.actor == "landlord" and not breach.owed and not _has("grant", statement.main)
        return not hindered and not landlord_may
    if _has("deny", statement.main):
        return True
    if breach.delay and _has("delay", statement.main):
        return True
    asked = _has("consent", statement.condition) or (statement.actor != "landlord" and _has("consent", statement.whole))
    return breach.consent and asked


def _every(names: tuple[str, ...], text: str) -> bool:
    return all(_has(name, text) for name in names)


def _any(names: tuple[str, ...], text: str) -> bool:
    return any(_has(name, text) for name in names)


def _has(name: str, text: str) -> bool:
    known = concepts()
    return any(known[part].is_in(text) for part in name.split("|"))
