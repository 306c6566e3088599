from concurrent.futures import ThreadPoolExecutor

from madang.text.morphemes import bigrams, content_words, morphemes, strip_particles

QUESTION = "집주인이 보증금을 안 돌려줘요"


def test_morphemes_know_where_they_stood() -> None:
    found = morphemes(QUESTION)
    nouns = [QUESTION[item.start : item.end] for item in found if item.tag.startswith("NN")]
    assert "보증금" in nouns


def test_positions_refer_to_the_text_given_even_when_it_is_decomposed() -> None:
    import unicodedata

    text = unicodedata.normalize("NFD", QUESTION)
    deposit = next(item for item in morphemes(text) if item.form == "보증금")
    assert unicodedata.normalize("NFC", text[deposit.start : deposit.end]) == "보증금"


def test_content_words_drop_particles_and_light_words() -> None:
    words = content_words("보증금을 돌려받을 수 있는 방법이 있나요?")
    assert "보증금" in words
    assert "방법" in words
    assert not {"을", "수", "있", "이"} & set(words)


def test_several_threads_share_one_kiwi() -> None:
    texts = [f"{number}월에 전세 계약을 갱신했어요" for number in range(1, 13)]
    with ThreadPoolExecutor(8) as pool:
        parallel = list(pool.map(morphemes, texts))
    assert parallel == [morphemes(text) for text in texts]


def test_blank_text_has_no_morphemes() -> None:
    assert morphemes(" \n") == []


def test_bigrams_ignore_punctuation_and_keep_single_letters() -> None:
    assert bigrams("전세금, 집!") == ["전세", "세금", "집"]


def test_particles_are_stripped_but_a_name_is_left() -> None:
    words = {
        "오사카로": "오사카",
        "부산은": "부산",
        "제주도에서": "제주도",
        "송파구요": "송파구",
        "도쿄에서는": "도쿄",
        "나라는": "나라",
    }
    assert {word: strip_particles(word) for word in words} == words
