"""Planning what customers are asked for: beside a text, on its own, or after whose they are was asked."""

from madang.assistants.works.state.documents import AccountRequest
from madang.assistants.works.state.semantic_query import SemanticQuery
from madang.assistants.works.state.session import OpenQuestion
from madang.assistants.works.tools.periods import Days
from madang.assistants.works.understanding.account_request import AccountWish, account_wish
from madang.assistants.works.understanding.references import asks_own
from madang.assistants.works.understanding.speaker import ask_who, who_was_asked
from madang.assistants.works.understanding.text_plan import beside_text
from madang.assistants.works.understanding.turn_plan import Incoming, TurnPlan
from madang.graph import StepRequest
from madang.text.calendars import month_days


def plan_accounts(message: Incoming, plan: TurnPlan, *, strictly: bool = False) -> bool:
    """Customers that are asked for. Whose they are is asked once, where nobody knows."""
    waiting = message.state.get("open_question") or {}
    wish = account_wish(message, message.linked, strictly=strictly)
    if wish is None and waiting.get("accounts") and message.linked and message.linked.get("rep"):
        request: AccountRequest = {
            **waiting["accounts"],
            "filters": [*waiting["accounts"]["filters"], {"field": "rep", "op": "eq", "value": message.linked["rep"]}],
        }
        wish = AccountWish(request)
    if wish is None:
        return False
    if wish.who_is_asked and not who_was_asked(message):
        question: OpenQuestion = {"field": "who", "choices": [], "partial": None, "accounts": wish.request}
        plan.update["open_question"] = question
        plan.answer, plan.served = ask_who(message), ["clarify"]
        return True
    if wish.who_is_asked:
        plan.update["analysis_view"] = {"whose": "unknown"}
    plan.update |= {"account_request": wish.request, "last_accounts": wish.request}
    plan.claims += [*wish.claims, message.heard.claim((0, len(message.text)), "task.accounts", None, "parser")]
    plan.add(StepRequest("AccountReviewAgent"))
    plan.served.append("accounts")
    return True


def plan_beside_text(message: Incoming, plan: TurnPlan, topics: list[str]) -> None:
    """What a message asks for beside a text: another matter, or where to go first and what to say there."""
    plan.update["guide_topics"] = beside_text(topics)
    wish = account_wish(message, message.linked)
    if wish is not None and not wish.who_is_asked and wish.request["kind"] in {"priority", "list", "coverage", "plan"}:
        plan.update |= {"account_request": wish.request, "last_accounts": wish.request}
        plan.add(StepRequest("AccountReviewAgent"))
        plan.served.append("accounts")


def plan_own_month(message: Incoming, partial: SemanticQuery, plan: TurnPlan) -> bool:
    """ "내 실적": this month against the target, of whoever writes; who that is, is asked where nobody knows."""
    if not asks_own(message.text):
        return False
    month = message.today.replace(day=1)
    days = Days(*month_days(month.year, month.month))
    query: SemanticQuery = {
        **partial, "period": days.as_period(), "compare": partial["compare"] or {"type": "vs_target", "period": None},
    }  # fmt: skip
    rep = (message.linked or {}).get("rep")
    if rep:
        others = [one for one in query["filters"] if one["field"] != "rep"]
        query = {**query, "filters": [*others, {"field": "rep", "op": "eq", "value": rep}]}
        plan.update |= {"analysis_query": query, "last_query": query}
        plan.add(StepRequest("DataAnalysisAgent"))
        plan.served.append("analysis")
        return True
    if not who_was_asked(message):
        question: OpenQuestion = {"field": "who", "choices": [], "partial": query}
        plan.update["open_question"] = question
        plan.answer, plan.served = ask_who(message), ["clarify"]
        return True
    plan.update |= {"analysis_query": query, "last_query": query, "analysis_view": {"whose": "unknown"}}
    plan.add(StepRequest("DataAnalysisAgent"))
    plan.served.append("analysis")
    return True
