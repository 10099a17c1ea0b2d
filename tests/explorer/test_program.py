"""Modules become one script; whatever is not of a known form is an error that says where."""

from __future__ import annotations

import pytest

from assay.explorer.program import MAIN, STATIC, WORKER, ProgramError, program


def joined(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return program("main.js", folder)


def test_modules_stand_in_the_order_in_which_they_need_each_other(tmp_path):
    made = joined(
        tmp_path,
        main='import { b, c as d } from "./b.js";\nd(b);\n',
        b='import { a } from "./a.js";\nexport const b = a + 1;\nexport async function c(x) { return x; }\n',
        a="export const a = 1;\nexport class A {}\nexport function* each() {}\n",
    )
    assert made.index("// a.js") < made.index("// b.js") < made.index("// main.js")
    assert "const { b, c: d } = $module1;" in made
    assert "return { a, A, each };" in made
    assert "export" not in made
    assert "import" not in made


def test_an_import_may_span_lines(tmp_path):
    made = joined(
        tmp_path, main='import {\n  a,\n  b,\n} from "./a.js";\na(b);\n', a="export const a = 1;\nexport const b = 2;\n"
    )
    assert "const { a, b } = $module0;" in made


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('import a from "./a.js";\n', "line 1: 'import a from"),
        ('import * as a from "./a.js";\n', "line 1"),
        ("const x = 1;\nexport default x;\n", "line 2: 'export default x;'"),
        ('export { a } from "./a.js";\n', "line 1"),
        ("export let x = 1;\n", "line 1"),
        ('const a = 1;\n\nconst b = await import("./a.js");\n', "line 3"),
        ("const place = import.meta.url;\n", "line 1"),
        ('import { a } from "a.js";\n', "is no path of a module here"),
        ('import { a } from "../../a.js";\n', "leads out of the folder"),
        ('import { a } from "./gone.js";\n', "imports gone.js, and there is no such file"),
        ("const a = '<!--';\n", "<!-- would end the script"),
    ],
)
def test_what_is_not_of_a_known_form_is_refused_with_its_place(tmp_path, text, said):
    with pytest.raises(ProgramError, match=r"main\.js") as error:
        joined(tmp_path, main=text, a="export const a = 1;\n")
    assert said in str(error.value)


def test_words_in_comments_and_texts_are_no_imports(tmp_path):
    made = joined(tmp_path, main='// import x from "y";\n/*\nexport default 1\n*/\nconst text = "export it";\n')
    assert 'const text = "export it";' in made


def test_modules_in_a_circle_are_refused(tmp_path):
    with pytest.raises(ProgramError, match=r"circle: main.js > a.js > main.js"):
        joined(
            tmp_path,
            main='import { a } from "./a.js";\nexport const b = 1;\n',
            a='import { b } from "./main.js";\nexport const a = b;\n',
        )


def test_the_end_of_a_script_inside_a_text_ends_nothing(tmp_path):
    made = joined(tmp_path, main='const text = "</script><script>";\n')
    assert "</script" not in made
    assert "<\\/script>" in made


@pytest.mark.parametrize("entry", [MAIN, WORKER])
def test_the_front_end_is_joined_the_same_every_time(entry):
    made = program(entry)
    assert made == program.__wrapped__(entry, STATIC)
    assert "innerHTML" not in made
    assert "eval(" not in made
    assert "new Function" not in made
