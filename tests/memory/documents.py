"""Generate business mails with planted personal details of ten countries, and mails without any, from fixed seeds.

The details are Faker's, of locales that neither the sanitiser nor the word lists were developed on; a planted detail
knows its parts, so that a rest of it is found as well as the whole.
"""

import random
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from faker import Faker

__all__ = ["LOCALES", "Document", "Planted", "bare", "clean_documents", "planted_documents"]

LOCALES = ("de_DE", "fr_FR", "it_IT", "es_ES", "pl_PL", "nl_NL", "pt_BR", "en_IN", "sv_SE", "ja_JP")
_SENTENCES = tomllib.loads(Path(__file__).with_name("documents.toml").read_text(encoding="utf-8"))
_PLACE = re.compile(r"\{(\w+)\}")
_TAX: Mapping[str, str] = {
    "de_DE": "vat_id",
    "fr_FR": "company_vat",
    "it_IT": "company_vat",
    "es_ES": "nif",
    "pl_PL": "nip",
    "nl_NL": "vat_id",
    "pt_BR": "cnpj",
    "en_IN": "aadhaar_id",
    "sv_SE": "org_id",
}
_MONEY: Mapping[str, tuple[str, ...]] = {
    "pl_PL": ("{dot} zł", "PLN {comma}", "zł{comma}"),
    "pt_BR": ("R$ {dot}", "R${dot}", "BRL {comma}"),
    "en_IN": ("₹{comma}", "Rs. {comma}", "INR {comma}", "Rs {whole}"),
    "sv_SE": ("{space} kr", "SEK {comma}", "{space} kronor"),
    "ja_JP": ("¥{whole}", "JPY {whole}", "{whole} yen"),
}
_EUROS = ("{dot} €", "€{comma}", "EUR {comma}", "{dot} Euro", "{space} EUR", "€ {whole}")
_TOWNS = ("Suginami", "Kawagoe", "Amagasaki", "Fujisawa", "Hachinohe", "Takaoka", "Ichinomiya", "Numazu", "Tottori")
_ROADS = ("Sakura-dori", "Nishiki-machi", "Omotesando", "Shinmachi", "Minami-cho", "Aoba-dori", "Hinode-cho")
_TRADES = ("Kogyo", "Shoji", "Seisakusho", "Denki", "Unyu")
_HUNDREDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_UNITS = ("twelve", "fifteen", "twenty-five", "forty", "fifty-one", "seventy", "eighty-eight", "ninety-nine")

_KINDS = {"first": "person", "last": "person", "city": "street", "amount_words": "amount in words"}
_REFERENCES = ("PO-#####", "??-####/##", "ORD######", "??#-####")
_DATES = ("%d.%m.%Y", "%Y-%m-%d", "%d %B %Y", "%B %d")

# What is left of a firm or a street when its name is gone: it tells of nobody.
_GENERIC = frozenset(
    """
    gmbh mbh kgaa ohg ltd limited inc llp pvt sarl sas sci srl spa snc sociedad anonima limitada hermanos figli syn
    spolka holding group gruppo fils freres sohne tochter stiftung eurl cia ltda filhos vof and und et der die das von
    van den het del della delle degli los las les dos rue avenue boulevard place chemin impasse via viale piazza corso
    contrada vicolo strada canale borgo rotonda incrocio stretto calle plaza avenida paseo ronda cuesta pasadizo
    callejon camino glorieta alameda rambla urbanizacion acceso ulica plac aleja osiedle rondo strasse str gasse weg
    platz ring allee straat laan steeg baan hof dreef pad street road marg nagar circle ganj chowk path gatan vagen
    torget grand stigen rua travessa praca viela largo estrada rodovia parque residencial nucleo setor sitio trecho vale
    via vila ladeira lagoa lago lote loteamento passarela patio quadra recanto distrito colonia conjunto condominio
    chacara campo area aeroporto esplanada estacao favela fazenda feira jardim morro
    kogyo shoji seisakusho denki unyu kabushiki dori machi cho tax vat
    example www http https com net org mail info
    """.split()  # noqa: SIM905 - a list of a hundred quoted words is harder to read
)


@dataclass(frozen=True, slots=True)
class Planted:
    """Hold one planted detail: its kind, as it stands in the text, and the parts that identify, folded."""

    kind: str
    written: str
    parts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Document:
    """Hold a text, what was planted into it, the words it had before, and what the record knows of its client."""

    text: str
    planted: tuple[Planted, ...]
    words: frozenset[str]
    known: Mapping[str, tuple[str, ...]]
    locale: str


def bare(text: str) -> str:
    """Return a text in lower case without accents."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in folded if not unicodedata.combining(char)).translate({0x142: "l", 0xF8: "o"})


def planted_documents(count: int = 240) -> Iterator[Document]:
    """Yield mails with details of ten countries; every other one is of a client that the record knows."""
    for number in range(count):
        locale = LOCALES[number % len(LOCALES)]
        yield _document(locale, random.Random(f"planted {number}"), knows_client=number // len(LOCALES) % 2 == 0)


def clean_documents(count: int = 100) -> Iterator[str]:
    """Yield mails in slot language that name nobody."""
    for number in range(count):
        chance = random.Random(f"clean {number}")
        yield _laid_out(chance.sample(_SENTENCES["clean"], chance.randint(3, 7)), chance)


def _laid_out(sentences: Sequence[str], chance: random.Random) -> str:
    return "".join(sentence + chance.choice((" ", " ", "\n\n")) for sentence in sentences).strip()


def _document(locale: str, chance: random.Random, *, knows_client: bool) -> Document:
    faker = Faker(locale)
    faker.seed_instance(chance.randrange(2**32))
    client, others = _Someone(faker, locale, chance), [_Someone(faker, locale, chance) for _ in range(2)]
    sentences = chance.sample(_SENTENCES["planted"], chance.randint(2, 4))
    sentences += chance.sample(_SENTENCES["plain"], chance.randint(2, 4))
    chance.shuffle(sentences)
    template = _laid_out(sentences, chance)
    planted: list[Planted] = []

    def fill(place: re.Match[str]) -> str:
        someone = chance.choice((client, *others))
        planted.append(someone.planted(place[1]))
        return planted[-1].written

    text = _PLACE.sub(fill, template)
    words = frozenset(re.findall(r"[^\W\d_]+", bare(_PLACE.sub(" ", template))))
    return Document(text, tuple(planted), words, client.record() if knows_client else {}, locale)


class _Someone:
    """Draw a person and a firm of one country, and write their details as people write them."""

    def __init__(self, faker: Faker, locale: str, chance: random.Random) -> None:
        self.faker, self.locale, self.chance = faker, locale, chance
        japanese = locale == "ja_JP"
        self.first = faker.first_romanized_name() if japanese else faker.first_name()
        self.last = faker.last_romanized_name() if japanese else faker.last_name()
        self.company = f"{faker.last_romanized_name()} {chance.choice(_TRADES)} K.K." if japanese else faker.company()
        numbers = "-".join(str(chance.randint(1, 30)) for _ in range(3))
        self.street = f"{numbers} {chance.choice(_ROADS)}" if japanese else faker.street_address().replace("\n", ", ")
        self.city = chance.choice(_TOWNS) if japanese else faker.city()
        self.phone = faker.phone_number()
        slug = re.sub(r"[^a-z]+", "-", bare(self.company)).strip("-")
        local = re.sub(r"[^a-z.]", "", bare(f"{self.first}.{self.last}"))
        self.email = f"{local}@{slug}.example"
        self.tax = f"T{faker.numerify('#############')}" if japanese else str(getattr(faker, _TAX[locale])())
        self.iban = faker.iban()

    def record(self) -> dict[str, tuple[str, ...]]:
        return {
            "CLIENT_NAME": (f"{self.first} {self.last}",),
            "CLIENT_ORG": (self.company,),
            "CLIENT_EMAIL": (self.email,),
            "CLIENT_PHONE": (self.phone,),
            "CLIENT_ADDRESS": (f"{self.street}, {self.city}",),
            "CLIENT_VAT": (self.tax,),
            "CLIENT_IBAN": (self.iban,),
        }

    def planted(self, place: str) -> Planted:
        written = self._writers()[place]()
        names = {"person": f"{self.first} {self.last}", "email": f"{self.first} {self.last} {written}"}
        kind = {"first": "person", "last": "person", "city": "street", "amount_words": "amount in words"}.get(
            place, place
        )
        return Planted(kind, written, _parts(names.get(place, written)))

    def _writers(self) -> Mapping[str, Callable[[], str]]:
        return {
            "person": self._person,
            "first": lambda: self.first,
            "last": lambda: self.last,
            "company": lambda: self.chance.choice((self.company,) * 4 + (self.company.upper(), bare(self.company))),
            "street": lambda: self.street,
            "city": lambda: self.city,
            "phone": lambda: self.phone,
            "email": lambda: self.chance.choice((self.email,) * 3 + (self.email.replace("@", " at "),)),
            "tax": lambda: self.tax,
            "iban": lambda: self.chance.choice((self.iban, " ".join(re.findall(r".{1,4}", self.iban)))),
            "amount": self._amount,
            "amount_words": self._amount_words,
            "reference": lambda: self.faker.bothify(
                self.chance.choice(("PO-#####", "??-####/##", "ORD######", "??#-####"))
            ),
            "date": lambda: self.faker.date_object().strftime(self.chance.choice(_DATES)),
        }

    def _person(self) -> str:
        whole = f"{self.first} {self.last}"
        forms = (
            *(whole,) * 6, whole.upper(), whole.lower(), bare(whole).title(), f"{self.last}, {self.first}",
            f"{self.first[0]}. {self.last}", f"{self.first}{self.last}", f"{self.first}'s boss {self.last}",
        )  # fmt: skip
        return self.chance.choice(forms)

    def _amount(self) -> str:
        cents = self.chance.randint(1_000, 9_999_999)
        comma = f"{cents / 100:,.2f}"
        dot = comma.translate(str.maketrans(",.", ".,"))
        space = f"{cents // 100:,}".replace(",", " ") + f",{cents % 100:02}"
        form = self.chance.choice(_MONEY.get(self.locale, _EUROS))
        return form.format(comma=comma, dot=dot, space=space, whole=f"{cents // 100:,}")

    def _amount_words(self) -> str:
        hundreds, unit = self.chance.choice(_HUNDREDS), self.chance.choice(_UNITS)
        return self.chance.choice(
            (
                f"{hundreds} hundred and {unit}",
                f"{unit} thousand",
                f"{hundreds} thousand {unit}",
                f"{unit} hundred",
                unit,
            )
        )


def _parts(written: str) -> frozenset[str]:
    """Return the words of three or more letters and the runs of two digits that tell of someone."""
    folded = bare(written)
    words = {word for word in re.findall(r"[^\W\d_]{3,}", folded) if word not in _GENERIC}
    digits = re.sub(r"\D", "", folded)
    return frozenset(words | {digits[at : at + 2] for at in range(len(digits) - 1)})
