"""Live data: transactions, loan products and statutes. Each is off without a key."""

from madang.assistants.homes.tools.providers.client import ProviderClient, ProviderSettings
from madang.assistants.homes.tools.providers.law_centre import LawCentreApi, LawEntry
from madang.assistants.homes.tools.providers.loan_products import BankLoan, LoanProductApi
from madang.assistants.homes.tools.providers.transactions import LandMinistryApi, Transaction

__all__ = [
    "BankLoan",
    "LandMinistryApi",
    "LawCentreApi",
    "LawEntry",
    "LoanProductApi",
    "ProviderClient",
    "ProviderSettings",
    "Transaction",
]
