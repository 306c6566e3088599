"""The agents of `works`: the seed's five, one for customers, one that explains a change, one for questions about it,
one for tools outside.

Document needs analysis and retrieval, compliance the document, storage compliance.
"""

from madang.assistants.works.agents.account_review import account_review
from madang.assistants.works.agents.change_analysis import change_analysis
from madang.assistants.works.agents.compliance_validation import compliance_validation
from madang.assistants.works.agents.data_analysis import data_analysis
from madang.assistants.works.agents.data_query import data_query
from madang.assistants.works.agents.document_generation import document_generation
from madang.assistants.works.agents.information_retrieval import information_retrieval
from madang.assistants.works.agents.outside_tool import outside_tool
from madang.assistants.works.agents.storage_decision import storage_decision

AGENTS = (
    data_analysis, account_review, change_analysis, data_query, information_retrieval, document_generation,
    compliance_validation, storage_decision, outside_tool,
)  # fmt: skip
