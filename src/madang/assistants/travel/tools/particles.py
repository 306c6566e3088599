"""Korean particles that follow the sound of a word: 부산은, 오사카는, 서울로."""


def ends_in_consonant(word: str) -> bool:
    """Whether a particle follows a final consonant: 부산은, 오사카는; digits by how they are read."""
    last = next((letter for letter in reversed(word) if letter.isalnum()), "")
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % 28 != 0
    return last in "013678lmnrLMNR"


def topic(word: str) -> str:
    return word + ("은" if ends_in_consonant(word) else "는")


def subject(word: str) -> str:
    return word + ("이" if ends_in_consonant(word) else "가")


def object_(word: str) -> str:
    return word + ("을" if ends_in_consonant(word) else "를")


def together(word: str) -> str:
    return word + ("과" if ends_in_consonant(word) else "와")


def toward(word: str) -> str:
    """로 also follows ㄹ: 서울로, 부산으로."""
    last = word[-1:]
    rieul = "가" <= last <= "힣" and (ord(last) - ord("가")) % 28 == 8
    return word + ("으로" if ends_in_consonant(word) and not rieul and last not in "18" else "로")
