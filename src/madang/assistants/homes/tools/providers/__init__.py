"""Live data: transactions, loan products and statutes. Each is off without a key and replaceable by its Protocol."""

from madang.assistants.homes.tools.providers.client import ProviderClient, ProviderSettings
from madang.assistants.homes.tools.providers.law_centre import LawCentreApi, LawEntry, LawProvider
from madang.assistants.homes.tools.providers.loan_products import BankLoan, LoanProductApi, LoanProvider
from madang.assistants.homes.tools.providers.transactions import LandMinistryApi, Transaction, TransactionProvider

__all__ = [
    "BankLoan",
    "LandMinistryApi",
    "LawCentreApi",
    "LawEntry",
    "LawProvider",
    "LoanProductApi",
    "LoanProvider",
    "ProviderClient",
    "ProviderSettings",
    "Transaction",
    "TransactionProvider",
]
