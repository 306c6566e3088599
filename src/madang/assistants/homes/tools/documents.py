"""Contract drafts: templates with named blanks, what is missing, and the finished text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from madang.assistants.homes import data
from madang.assistants.homes.state.teams import DocumentType
from madang.assistants.homes.tools.calculators.calculation import won
from madang.assistants.homes.tools.document_fields import Field, FieldValue, check_value, show_value
from madang.errors import FieldProblem, InvalidState, NotFound, UnreadableData

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, kw_only=True)
class ContractTemplate:
    """A contract form: its text with `{{blanks}}` and what each blank holds."""

    template_id: str
    template_name: str
    document_type: DocumentType
    deal: str
    template_content: str
    fields: tuple[Field, ...]

    @property
    def placeholders(self) -> list[str]:
        return [field.name for field in self.fields]


@dataclass(frozen=True)
class CheckedFields:
    """Values that can be used, in stored form, and what is wrong with the others."""

    values: Mapping[str, FieldValue]
    problems: tuple[FieldProblem, ...]


@cache
def load_templates() -> tuple[ContractTemplate, ...]:
    """The packaged templates. Raises `UnreadableData` if a blank is not described."""
    table = data.load("templates/fields.toml")
    described = {name: Field(name=name, **item) for name, item in table["fields"].items()}
    return tuple(_template(item, described, data.text(f"templates/{item['id']}.md")) for item in table["template"])


def find_template(wanted: str) -> ContractTemplate:
    """The template of an id, a name or a deal (전세, 월세, 매매). Raises `NotFound`."""
    for template in load_templates():
        if wanted in (template.template_id, template.template_name, template.deal):
            return template
    if wanted == "sales_contract":
        return find_template("매매")
    names = ", ".join(template.template_name for template in load_templates())
    raise NotFound(f"{wanted!r} 서식이 없습니다 ({names})", template=wanted)


def check_fields(template: ContractTemplate, values: Mapping[str, FieldValue], today: date) -> CheckedFields:
    """Each value checked by its blank; names that the template doesn't have are problems too."""
    known = {field.name: field for field in template.fields}
    good: dict[str, FieldValue] = {}
    problems: list[FieldProblem] = []
    for name, value in values.items():
        if name not in known:
            problems.append(FieldProblem(name, "이 서식에 없는 항목입니다"))
            continue
        checked = check_value(known[name], value, today)
        if isinstance(checked, FieldProblem):
            problems.append(checked)
        else:
            good[name] = checked
    good = _derive(template, good)
    return CheckedFields(good, (*problems, *_contradictions(good)))


def missing_fields(template: ContractTemplate, values: Mapping[str, FieldValue]) -> list[Field]:
    """The blanks that must be filled and aren't, in the order of the contract."""
    return [field for field in template.fields if field.required and field.name not in values]


def draft(template: ContractTemplate, values: Mapping[str, FieldValue]) -> str:
    """The contract in Markdown; a blank without a value shows what belongs there."""
    known = {field.name: field for field in template.fields}

    def fill(match: re.Match[str]) -> str:
        field = known[match[1]]
        if field.name in values:
            return _escape(show_value(field, values[field.name]), field)
        return field.empty if not field.required else f"[{field.label}]"

    return _PLACEHOLDER.sub(fill, template.template_content)


def finish(template: ContractTemplate, values: Mapping[str, FieldValue], today: date) -> str:
    """The finished contract. Raises `InvalidState` naming every value that is missing or wrong."""
    checked = check_fields(template, values, today)
    problems = [*checked.problems]
    problems += [
        FieldProblem(field.name, f"{field.label}이(가) 비어 있습니다")
        for field in missing_fields(template, checked.values)
    ]
    if problems:
        raise InvalidState(problems)
    return draft(template, checked.values)


def _template(item: Mapping[str, Any], described: Mapping[str, Field], text: str) -> ContractTemplate:
    names = list(dict.fromkeys(_PLACEHOLDER.findall(text)))
    if unknown := [name for name in names if name not in described]:
        raise UnreadableData(f"template {item['id']} has blanks without a description: {', '.join(unknown)}")
    return ContractTemplate(
        template_id=item["id"],
        template_name=item["name"],
        document_type=item["document_type"],
        deal=item["deal"],
        template_content=text,
        fields=tuple(described[name] for name in names),
    )


def _derive(template: ContractTemplate, values: dict[str, FieldValue]) -> dict[str, FieldValue]:
    """Work out what follows from the rest: the balance is the whole less what was paid before."""
    whole = "price" if template.document_type == "sales_contract" else "deposit"
    if whole in values and "down_payment" in values and "balance" not in values:
        rest = int(values[whole]) - int(values["down_payment"]) - int(values.get("interim_payment", 0))
        if rest >= 0:
            return {**values, "balance": rest}
    return values


def _contradictions(values: Mapping[str, FieldValue]) -> list[FieldProblem]:
    problems = []
    if "start_date" in values and "end_date" in values and str(values["end_date"]) <= str(values["start_date"]):
        problems.append(FieldProblem("end_date", "종료일이 시작일보다 빠릅니다", f"{values['start_date']} 이후"))
    whole = values.get("price", values.get("deposit"))
    parts = [int(values.get(name, 0)) for name in ("down_payment", "interim_payment", "balance")]
    if whole is not None and "down_payment" in values and "balance" in values and sum(parts) != int(whole):
        problems.append(
            FieldProblem(
                "balance", f"계약금·중도금·잔금의 합이 {won(int(whole))}과 다릅니다", f"합계 {won(int(whole))}"
            )
        )
    if "down_payment" in values and whole is not None and int(values["down_payment"]) > int(whole):
        problems.append(FieldProblem("down_payment", "계약금이 전체 금액보다 많습니다", f"{won(int(whole))} 이하"))
    return problems


def _escape(text: str, field: Field) -> str:
    """Keep a value from breaking the contract's tables or adding headings."""
    if field.name == "special_terms":
        return text.replace("\n#", "\n\\#").removeprefix("#")
    return text.replace("|", "\\|").replace("\n", " ")
