"""Every regular expression of the package: those its modules write down, and those made while messages are read.

    python -m tests.support.pattern_sites FOLDER     one JSON object a line; the places that were not reached last

In a process of its own: nothing may have been compiled before it looks.
"""

import ast
import asyncio
import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent / "src"
CALLS = ("compile", "search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn")
# Patterns that one place makes alike, of different words, are one.
HANGUL = re.compile("[가-힣]+")
AT_THE_START = {"match", "fullmatch"}
# Conversations that reach what is compiled only when a message is read.
CONVERSATIONS = {
    "homes": (
        ("전세금 5% 인상 가능해?",),
        ("마포구 84㎡ 아파트 전세 4억 시세와 대출 알려줘. 학교 가깝고 조용한 곳",),
        ("대출 3억을 5%에 30년 갚으면 월 얼마?",),
        (
            "이 계약서 검토해줘. 제1조 보증금은 금 삼천만원으로 한다. "
            "제2조 임차인은 차임을 2개월 연체하면 즉시 퇴거한다. "
            "제3조 임대인은 수리를 하지 않는다. 특약사항: 반려동물을 키울 수 없다.",
        ),
        (
            "월세 계약서 만들어줘. 서울 마포구 합정동 1-2 101호, 보증금 5천만원, 월세 60만원, "
            "임대인 김마당, 임차인 이세입",
            "계약일은 2026-11-20, 기간은 2년",
        ),
    ),
    "works": (
        ("지난달 지점별 매출 상위 5개 보여줘",),
        ("김철수 연봉 알려줘",),
        ("매출 1억 이상인 병원 3곳 이상",),
        ("박민수 과장 방문 기록",),
        ("방문 보고서 작성해줘", "장소는 한빛의원, 목적은 신제품 소개, 내용은 효능 설명"),
        ("4월 20일 제품설명회, 원장 5명, 1인당 식사 5만원 괜찮은지 규정 검토해줘",),
        ("홍삼정 판매량",),
        ("홍길동 지난달 매출",),
        ("최근 실적 알려줘", "2번"),
        (
            "오늘 두시에 내과 다녀왔는데 원장님이 자료 달라고 하셨어요. 부작용 환자가 복용한 지 3일 됐대요",
            "아 병원은 빛내과고 두시 아니고 네시였어요",
            "팀장님께 보고할 거 두 줄이랑 원장님께 자료는 내일 드리겠다고 문자 써줘. 남은 달 계획도. 이름은 빼고",
            "원장님께 보낼 사과 문자요",
            "본부장님 보고 세 줄",
            "지난달 담당자별 매출",
            "이름 빼고 회의에서 할 말 세 줄 적어줘",
        ),
    ),
    "travel": (
        ("오사카 3박4일 둘이 250만원, 맛집 위주로", "맛집은 빼줘. 아니 4박으로, 예산은 300만원까지"),
        ("제주도랑부산 크리스마스에 가족 4명 5살 아이",),
        ("설 연휴 다음주에 파리",),
        ("도쿄오사카로3박4일친구랑둘이서예산은이백만원으로여행가고싶어요",),
        ("도쿄 3박4일 둘이 300만원, 시부야 스카이 꼭 갈래", "시부야는 빼줘"),
    ),
}


@dataclass
class Site:
    """A pattern, and where the package compiles it."""

    place: str
    pattern: str
    flags: int
    # Used by `match` and `fullmatch` only: tried at one place of a text, not at every one.
    at_the_start: bool


Sites = dict[tuple[str, int], Site]


def add(sites: Sites, place: str, pattern: str | re.Pattern[str], flags: int, *, at_the_start: bool) -> None:
    if isinstance(pattern, re.Pattern):
        flags = pattern.flags & ~re.UNICODE
        pattern = pattern.pattern
    known = sites.setdefault((pattern, flags), Site(place, pattern, flags, at_the_start))
    known.at_the_start &= at_the_start


def listen() -> list[Site]:
    """Whatever the package compiles from now on."""
    compiled = re._compile  # type: ignore[attr-defined]
    heard: list[Site] = []

    def noted(pattern: Any, flags: Any) -> Any:
        caller, function = sys._getframe(2), sys._getframe(1).f_code.co_name
        path = Path(caller.f_code.co_filename)
        if path.is_relative_to(ROOT) and isinstance(pattern, str):
            place = f"{path.relative_to(ROOT)}:{caller.f_lineno}"
            heard.append(Site(place, pattern, int(flags), function in AT_THE_START))
        return compiled(pattern, flags)

    re._compile = noted  # type: ignore[attr-defined]
    return heard


def load() -> dict[str, ast.Module]:
    """Import every module; their syntax trees by module name."""
    import madang

    trees = {}
    for found in pkgutil.walk_packages(madang.__path__, "madang."):
        # Alembic runs this one itself.
        if found.name == "madang.store.schema.env":
            continue
        module = importlib.import_module(found.name)
        assert module.__file__ is not None
        trees[found.name] = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    return trees


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name)) if name in CALLS:
                yield node


def uses(trees: dict[str, ast.Module]) -> dict[tuple[str, str], set[str]]:
    """The methods by which each constant is used, by module and name; a use that calls no method counts as `any`."""
    found: dict[tuple[str, str], set[str]] = {}
    for module, tree in trees.items():
        nodes = list(ast.walk(tree))
        origins = {
            n.asname or n.name: (str(i.module), n.name) for i in nodes if isinstance(i, ast.ImportFrom) for n in i.names
        }
        methods = {id(node.value): node.attr for node in nodes if isinstance(node, ast.Attribute)}
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.setdefault(origins.get(node.id, (module, node.id)), set()).add(methods.get(id(node), "any"))
            elif isinstance(node, ast.Attribute) and node.attr.isupper() and isinstance(node.value, ast.Name):
                origin = ".".join(origins.get(node.value.id, (module, "")))
                found.setdefault((origin, node.attr), set()).add(methods.get(id(node), "any"))
    return found


def written(sites: Sites, trees: dict[str, ast.Module]) -> Iterator[tuple[str, range]]:
    """Add what the modules write down; yields the places whose pattern is only known when they run."""
    used = uses(trees)
    for name, tree in trees.items():
        module = sys.modules[name]
        constants = {id(a.value): a.targets[0] for a in ast.walk(tree) if isinstance(a, ast.Assign)}
        for call in calls(tree):
            path = Path(str(module.__file__)).relative_to(ROOT)
            target = constants.get(id(call))
            methods = used.get((name, target.id), {"any"}) if isinstance(target, ast.Name) else {"any"}
            if isinstance(call.func, ast.Attribute) and call.func.attr != "compile":
                methods = {call.func.attr}
            given = [k.value for k in call.keywords if k.arg == "flags"] + call.args[1:]
            flags = [ast.unparse(one) for one in given if ast.unparse(one).startswith("re.")]
            try:
                pattern = eval(ast.unparse(call.args[0]), dict(vars(module)))
            except NameError:
                yield str(path), range(call.lineno, (call.end_lineno or call.lineno) + 1)
                continue
            value = int(eval(flags[0])) if flags else 0
            add(sites, f"{path}:{call.lineno}", pattern, value, at_the_start=methods <= AT_THE_START)


async def talk(folder: Path) -> None:
    """Ask each assistant what reaches the rest."""
    from datetime import date

    from madang.bootstrap import open_runtime
    from madang.cli.turns import session_for, turn
    from madang.graph.questions import read_answer
    from madang.settings import Settings

    settings = Settings(db=f"sqlite:///{folder}/patterns.db")
    async with open_runtime(settings, today=date(2026, 11, 16)) as runtime:
        for assistant, conversations in CONVERSATIONS.items():
            for messages in conversations:
                session = await session_for(runtime, assistant, None, None)
                for message in messages:
                    await turn(runtime, session, message, show=StringIO())
    # No assistant of ours interrupts to ask for words; the kit's reader of such an answer is called by itself.
    read_answer(
        {
            "id": "form_1", "kind": "clarification", "question": "", "choices": [], "draft": None, "form": None,
            "step_id": "step_0", "field": None, "answered": False, "answer": None,
        },
        "장소는 본사 회의실",
    )  # fmt: skip


def main() -> None:
    sites: Sites = {}
    heard = listen()
    running = list(written(sites, load()))
    asyncio.run(talk(Path(sys.argv[1])))
    known = set(sites)
    shapes = {(site.place, HANGUL.sub("가", site.pattern)): site for site in heard}
    for site in shapes.values():
        if (site.pattern, site.flags) not in known:
            add(sites, site.place, site.pattern, site.flags, at_the_start=site.at_the_start)
    for site in sites.values():
        sys.stdout.write(json.dumps(asdict(site)) + "\n")
    reached = {site.place for site in heard}
    missed = [f"{path}:{lines[0]}" for path, lines in running if not {f"{path}:{line}" for line in lines} & reached]
    sys.stdout.write(json.dumps({"missed": missed}) + "\n")


if __name__ == "__main__":
    main()
