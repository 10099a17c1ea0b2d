//! The door for recipes: names in, token ids out.

use std::sync::Arc;

use assay_kernels::characters::Spaces;
use assay_kernels::recipe::{self as kernel, Lowercase, Normalization, Unit};
use assay_kernels::sequences::Texts;
use assay_kernels::stems::Stemmer;
use assay_kernels::tokenizers::Tokenizer;
use assay_kernels::tokenizers::international::International;
use assay_kernels::tokenizers::meteor::{Language, Meteor};
use assay_kernels::tokenizers::tercom::{SacrebleuTercom, Tercom};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::computed;
use crate::synonyms::Synonyms;
use crate::texts::texts;

/// A buffer, and where its texts begin and end.
type Column<'py> = (Bound<'py, PyBytes>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>);

/// Ids, and the offsets at which each text begins.
type Cooked<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<i64>>);

/// All that is done to a text before counting, ready to run.
#[pyclass(frozen, module = "assay.kernels._compiled")]
pub struct Recipe(kernel::Recipe);

#[pymethods]
impl Recipe {
    /// Names are checked by `assay.text.recipe`; an unknown one is a `ValueError` all the same.
    ///
    /// `options` belong to the tokenizer, `words` are the tables that it needs, `synonyms` the dictionary of the stemmer.
    #[new]
    #[pyo3(signature = (*, normalize, lowercase, tokenizer, options, words, remove_punctuation, stem, synonyms, unit))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments, one per field")]
    fn new(
        normalize: &str,
        lowercase: &str,
        tokenizer: &str,
        options: Vec<String>,
        words: Vec<String>,
        remove_punctuation: bool,
        stem: Option<&str>,
        synonyms: Option<&Synonyms>,
        unit: &str,
    ) -> PyResult<Self> {
        Ok(Self(kernel::Recipe {
            normalization: match normalize {
                "none" => Normalization::None,
                "nfc" => Normalization::Nfc,
                "nfkc" => Normalization::Nfkc,
                other => return Err(unknown("normalization", other)),
            },
            lowercase: match lowercase {
                "no" => Lowercase::No,
                "unicode" => Lowercase::Unicode,
                "ascii" => Lowercase::Ascii,
                other => return Err(unknown("lowercase", other)),
            },
            tokenizer: named_tokenizer(tokenizer, &options, words)?,
            remove_punctuation,
            stemmer: stem.map(|name| named_stemmer(name, synonyms)).transpose()?,
            unit: match unit {
                "word" => Unit::Word,
                "character" => Unit::Character,
                "text" => Unit::Text,
                "spaced" => Unit::Spaced,
                "raw" => Unit::Raw,
                "length" => Unit::Length,
                other => return Err(unknown("unit", other)),
            },
        }))
    }

    /// Ids and offsets of each column of texts.
    fn cook<'py>(&self, py: Python<'py>, columns: Vec<Column<'py>>, threads: usize) -> PyResult<Vec<Cooked<'py>>> {
        let columns = borrow_columns(&columns)?;
        let cooked = computed(py, || self.0.cook(&columns, threads))?.map_err(no_text)?;
        Ok(cooked.into_iter().map(|ids| arrays(py, ids)).collect())
    }

    /// For each column its ids and offsets, then those under the stemmers of `others`, whose recipes differ in nothing
    /// else.
    fn cook_stems<'py>(
        &self,
        py: Python<'py>,
        others: Vec<PyRef<'py, Self>>,
        columns: Vec<Column<'py>>,
        threads: usize,
    ) -> PyResult<Vec<Vec<Cooked<'py>>>> {
        let columns = borrow_columns(&columns)?;
        let stemmers: Option<Vec<Stemmer>> = others.iter().map(|other| other.0.stemmer.clone()).collect();
        let stemmers = stemmers.ok_or_else(|| PyValueError::new_err("a recipe without a stemmer"))?;
        let cooked = computed(py, || self.0.cook_stems(&stemmers, &columns, threads))?.map_err(no_text)?;
        Ok(cooked.into_iter().map(|views| views.into_iter().map(|ids| arrays(py, ids)).collect()).collect())
    }

    /// The tokens of one text, as strings.
    fn tokens(&self, text: &str) -> Vec<String> {
        self.0.tokens(text)
    }
}

fn borrow_columns<'a>(columns: &'a [Column<'_>]) -> PyResult<Vec<Texts<'a>>> {
    columns.iter().map(|(buffer, starts, ends)| texts(buffer, starts, ends)).collect()
}

fn arrays(py: Python<'_>, (ids, offsets): kernel::Ids) -> Cooked<'_> {
    (PyArray1::from_vec(py, ids), PyArray1::from_vec(py, offsets))
}

fn no_text(index: usize) -> PyErr {
    PyValueError::new_err(format!("text {index} is not UTF-8"))
}

/// The languages and algorithms that have a stemmer.
#[pyfunction]
pub fn stemmers() -> Vec<&'static str> {
    Stemmer::names()
}

fn named_stemmer(name: &str, synonyms: Option<&Synonyms>) -> PyResult<Stemmer> {
    let dictionary = synonyms.map(|synonyms| Arc::clone(&synonyms.0));
    match (name, dictionary) {
        ("wordnet", Some(dictionary)) => Ok(Stemmer::lemma(dictionary)),
        ("wordnet-base", Some(dictionary)) => Ok(Stemmer::base(dictionary)),
        _ => Stemmer::named(name).ok_or_else(|| unknown("stemmer", name)),
    }
}

fn named_tokenizer(name: &str, options: &[String], words: Vec<String>) -> PyResult<Tokenizer> {
    let has = |option: &str| options.iter().any(|given| given == option);
    let tercom = Tercom { normalize: has("normalize"), no_punctuation: has("no-punctuation"), asian: has("asian") };
    Ok(match name {
        "none" => Tokenizer::Whitespace(if has("ascii") { Spaces::Ascii } else { Spaces::Unicode }),
        "13a" => Tokenizer::Mteval,
        "intl" => Tokenizer::International(International { unescape: true, split_non_ascii: has("split-non-ascii") }),
        "intl-sacrebleu" => Tokenizer::International(International::default()),
        "zh" => Tokenizer::Chinese,
        "char" => Tokenizer::Characters,
        "ascii-words" => Tokenizer::AsciiWords,
        "chrf" => Tokenizer::Chrf,
        "tercom" => Tokenizer::Tercom(tercom),
        "tercom-sacrebleu" => Tokenizer::SacrebleuTercom(SacrebleuTercom { flags: tercom, twice: false }),
        "tercom-sacrebleu-twice" => Tokenizer::SacrebleuTercom(SacrebleuTercom { flags: tercom, twice: true }),
        "meteor" => {
            let language = options.iter().find_map(|code| Language::from_code(code));
            let language = language.ok_or_else(|| unknown("METEOR language", &options.join("+")))?;
            Tokenizer::Meteor(Meteor::new(language, !has("no-punctuation"), words))
        }
        other => return Err(unknown("tokenizer", other)),
    })
}

fn unknown(what: &str, name: &str) -> PyErr {
    PyValueError::new_err(format!("unknown {what} {name:?}"))
}
