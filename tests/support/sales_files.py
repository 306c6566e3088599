"""A small company's sales as files, with the mapping that `madang data load sales` reads."""

from pathlib import Path

FILES = {
    "reps.csv": "코드,이름,팀,지점,지역\nR1,김가나,1팀,본점,서울\nR2,이다라,2팀,지점,부산\n",
    "customers.csv": "코드,이름,유형,지역,담당\nC1,한마음의원,의원,서울,R1\nC2,=cmd|'/c calc'!A1,약국,부산,R2\n",
    "products.csv": "코드,이름,군\nP1,첫째정,소화기제\n",
    "sales.csv": "일자,거래처,제품,담당,수량,금액,company_id\n"
    '2026-02-03,C1,P1,R1,3,"30,000",rival\n2026.02.10,C2,P1,R2,2,20000원,rival\n20260301,C1,P1,R1,1,10000,rival\n',
}
MAPPING = """
company_id = "acme"
[tables.reps]
file = "reps.csv"
columns = { rep_id = "코드", rep = "이름", team = "팀", branch = "지점", region = "지역" }
[tables.customers]
file = "customers.csv"
columns = { customer_id = "코드", customer = "이름", customer_type = "유형", region = "지역", rep_id = "담당" }
[tables.products]
file = "products.csv"
columns = { product_id = "코드", product = "이름", product_class = "군" }
[tables.sales]
file = "sales.csv"
[tables.sales.columns]
date = "일자"
customer_id = "거래처"
product_id = "제품"
rep_id = "담당"
quantity = "수량"
amount = "금액"
"""


def prepare(folder: Path, **changes: str) -> Path:
    for name, text in {**FILES, **{key.replace("_csv", ".csv"): value for key, value in changes.items()}}.items():
        (folder / name).write_text(text, "utf-8")
    path = folder / "mapping.toml"
    path.write_text(MAPPING, "utf-8")
    return path
