"""Whether a statement, as it is meant, is what a reading of a rule objects to."""

from madang.assistants.homes.tools.contract_checks import CHECKS
from madang.assistants.homes.tools.contract_rules import ContractRule, Reading
from madang.assistants.homes.tools.contract_statements import Statement
from madang.assistants.homes.tools.contract_terms import Terms
from madang.assistants.homes.tools.contract_words import concepts


def mentions(rule: ContractRule, statement: Statement) -> bool:
    """Whether the statement is about what the rule is about."""
    return _has(rule.readings[0].topic, statement.whole)


def objections(rule: ContractRule, statement: Statement, terms: Terms) -> list[Reading]:
    """The readings of the rule that fit the statement."""
    return [reading for reading in rule.readings if _fits(reading, statement, terms)]


def _fits(reading: Reading, statement: Statement, terms: Terms) -> bool:
    if not (_every(reading.all, statement.whole) and _every(reading.when, statement.condition)):
        return False
    if not (_every(reading.main, statement.main) and _every(reading.act, statement.act)):
        return False
    if not _every(reading.near, statement.around):
        return False
    if _any(reading.none, statement.whole) or _any(reading.none_main, statement.main):
        return False
    if _any(reading.none_around, statement.around):
        return False
    return _meant(reading, statement) and (reading.check is None or CHECKS[reading.check](statement, terms))


def _meant(reading: Reading, statement: Statement) -> bool:
    """Who does it, whether it is denied, and to whose cost."""
    if reading.actor and statement.actor not in (reading.actor, None):
        return False
    if reading.not_actor and statement.actor == reading.not_actor:
        return False
    if reading.polarity and statement.negative != (reading.polarity == "negative"):
        return False
    if not statement.negative and _any(reading.despite, statement.conceded):
        return False
    if statement.negative and _any(reading.kept, statement.main):
        return False
    if reading.accepts and not statement.accepts:
        return False
    if reading.bears and not _tenant_bears(statement):
        return False
    if reading.denies and not _denies(statement):
        return False
    return reading.denied is None or _is_denied(reading, statement)


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


def _is_denied(reading: Reading, statement: Statement) -> bool:
    """Whether the tenant's right is refused, given up, put off, made to depend on consent, or punished."""
    right = reading.denied or ""
    if _has(right, statement.main):
        return _is_refused(reading, statement)
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
    if reading.consent and _has("consent", statement.main) and not statement.negative:
        return True
    harm = _has("harm_denied", statement.main) if statement.negative else _has("harm", statement.main)
    return reading.chill and harm


def _is_refused(reading: Reading, statement: Statement) -> bool:
    # A tenant who may not refuse something keeps no right by it.
    hindered = _has("hinder_self" if statement.actor == "tenant" else "hinder", statement.act)
    hindered = hindered or (statement.actor != "tenant" and _has("hinder_reason", statement.main))
    if statement.negative:
        # A landlord who promises not to hinder it refuses nothing.
        landlord_may = statement.actor == "landlord" and not reading.owed and not _has("grant", statement.main)
        return not hindered and not landlord_may
    if _has("deny", statement.main):
        return True
    if reading.delay and _has("delay", statement.main):
        return True
    asked = _has("consent", statement.condition) or (statement.actor != "landlord" and _has("consent", statement.whole))
    return reading.consent and asked


def _every(names: tuple[str, ...], text: str) -> bool:
    return all(_has(name, text) for name in names)


def _any(names: tuple[str, ...], text: str) -> bool:
    return any(_has(name, text) for name in names)


def _has(name: str, text: str) -> bool:
    known = concepts()
    return any(known[part].is_in(text) for part in name.split("|"))
