//! Worked examples of METEOR's normaliser, as the original program gives them.

use super::*;

const PREFIXES: [&str; 4] = ["Mr", "e.g", "No #NUMERIC_ONLY# ", "Fil "];

fn normalize(language: Language, keep_punctuation: bool, text: &str) -> String {
    let meteor = Meteor::new(language, keep_punctuation, PREFIXES.map(str::to_string));
    let mut output = String::new();
    meteor.normalize(text, &mut output);
    output
}

fn english(text: &str) -> String {
    normalize(Language::English, true, text)
}

fn english_words(text: &str) -> String {
    normalize(Language::English, false, text)
}

#[test]
fn codes_name_languages() {
    assert_eq!(Language::from_code("cs"), Some(Language::Czech));
    assert_eq!(Language::from_code("cz"), Some(Language::Czech));
    assert_eq!(Language::from_code("en"), Some(Language::English));
    assert_eq!(Language::from_code("it"), None);
}

#[test]
fn symbols_stand_alone() {
    assert_eq!(english("100% of $5 items/units"), "100 % of $ 5 items / units");
    assert_eq!(english("&quot;"), "& quot ;");
    assert_eq!(english("日本 α"), "日 本 α");
}

#[test]
fn a_comma_stays_only_between_digits() {
    assert_eq!(english("1,000, a,1 1,a"), "1,000 , a , 1 1 , a");
}

#[test]
fn a_match_uses_up_its_neighbours() {
    // a,b uses up the b, so the second comma has no left neighbour; in ab,cd,ef both have one.
    assert_eq!(english("a,b,c ab,cd,ef"), "a , b,c ab , cd , ef");
    assert_eq!(english("a-b-c ab-cd-ef"), "a b-c ab cd ef");
    assert_eq!(english("x'y'z"), "x 'y'z");
}

#[test]
fn commas_are_split_in_three_passes() {
    // First pass: the comma before b is free again for the third, which looks for a digit.
    assert_eq!(english("a,b,1,2,c"), "a , b , 1,2 , c");
    assert_eq!(english("a,,b"), "a , ,b");
    assert_eq!(english("1,,2"), "1 , , 2");
}

#[test]
fn hyphens_inside_words_are_lost() {
    assert_eq!(english("U.S.-based a--b 2-3"), "US based a b 2 3");
    assert_eq!(english("-a a- a -- b ---"), "-a a- a - b --");
    assert_eq!(english("2–3 a—b"), "2 - 3 a — b");
}

#[test]
fn quotation_marks_have_one_spelling() {
    assert_eq!(english("“a” ``b'' `c’ „d“ «e»"), "\" a \" \" b \" ' c ' „ d \" « e »");
    assert_eq!(english("'''"), "\" '");
}

#[test]
fn english_apostrophes_go_right() {
    assert_eq!(english("don't 'go' 1990's 1990'S 5'6"), "don 't ' go ' 1990 's 1990'S 5 ' 6");
}

#[test]
fn french_apostrophes_go_left() {
    let text = "l’été d'aujourd'hui 1's";
    assert_eq!(normalize(Language::French, true, text), "l' été d' aujourd' hui 1 ' s");
}

#[test]
fn other_apostrophes_stand_alone() {
    for language in [Language::Czech, Language::Spanish, Language::German, Language::Russian] {
        assert_eq!(normalize(language, true, "x'y'z 1's"), "x ' y ' z 1 ' s");
    }
}

#[test]
fn a_final_dot_is_split_off() {
    assert_eq!(english("The end. The end."), "The end . The end .");
    assert_eq!(english("3.14. Yes"), "3.14 . Yes");
}

#[test]
fn a_dot_stays_before_lower_case_of_ascii_only() {
    assert_eq!(english("approx. ten"), "approx. ten");
    assert_eq!(english("approx. été"), "approx . été");
}

#[test]
fn a_wide_space_keeps_words_apart() {
    // The next token is the no-break space itself, which is not lower case.
    assert_eq!(english("approx.\u{a0}ten"), "approx . ten");
}

#[test]
fn abbreviations_lose_their_dots_and_other_words_do_not() {
    assert_eq!(english("in the U.S. U.S e.g. X 1.a."), "in the US U.S eg X 1a");
}

#[test]
fn listed_prefixes_keep_their_dot() {
    assert_eq!(english("Mr. X Fil. X Dr. X"), "Mr. X Fil. X Dr . X");
    assert_eq!(english("No. 1 No. X No."), "No. 1 No . X No .");
}

#[test]
fn runs_of_dots_are_one_token() {
    assert_eq!(english("a...b .. c.... ..., ."), "a ... b .. c .... ... , .");
}

#[test]
fn without_punctuation_only_letters_and_digits_remain() {
    assert_eq!(english_words("U.S.-based: $1,000.50 in 1990's..."), "US based 1 000 50 in 1990 s");
    assert_eq!(english_words("日本 — !"), "");
}

#[test]
fn spaces_are_squeezed_and_ends_are_trimmed() {
    assert_eq!(english(" \u{a0} a\t\u{3000} b\u{2009}"), "a b");
    assert_eq!(english("\u{1}a\u{1}b\u{b}c\u{b}"), "a \u{1} b\u{b}c");
    assert_eq!(english(""), "");
}

#[test]
fn output_is_appended() {
    let meteor = Meteor::new(Language::German, true, []);
    let mut output = "before \n".to_string();
    meteor.normalize("\u{1} a", &mut output);
    meteor.normalize("\u{1}", &mut output);
    assert_eq!(output, "before \na");
}
