"""Whose memory it is: a user in a company. The same user in another company is somebody else."""

from urllib.parse import quote

from madang.store.users import HOME_COMPANY

LOCAL_USER = 0


def owner_of(user_id: int | None, company_id: str) -> str:
    """The one label of a namespace under which everything of that user in that company is kept.

    Without a user it is that of the implicit local one.
    """
    who = str(LOCAL_USER if user_id is None else user_id)
    return who if company_id == HOME_COMPANY else f"{who}@{quote(company_id, safe='').replace('.', '%2E')}"
