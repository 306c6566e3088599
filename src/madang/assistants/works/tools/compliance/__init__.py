"""Whether something may be done: facts from the text, compared with dated rules."""

from madang.assistants.works.data.rules import Rule, RuleBook, load_rules
from madang.assistants.works.tools.compliance.facts import Benefit, Facts, read_facts
from madang.assistants.works.tools.compliance.judgement import Judgement, judge
from madang.assistants.works.tools.compliance.verdict import LedgerEntry

__all__ = ["Benefit", "Facts", "Judgement", "LedgerEntry", "Rule", "RuleBook", "judge", "load_rules", "read_facts"]
