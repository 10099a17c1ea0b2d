"""Models as data: frozen arrays and a formula. To apply one takes numpy and nothing else; to read one runs no code."""

from assay.learned.models.combination import Graded, Plain, SomeColumns
from assay.learned.models.linear import Logistic, Ordinal
from assay.learned.models.trees import BoostedGrader, TreeGrader

#: The kinds of model that a file may hold. There are no others: a name in a file never leads to code of its choice.
AnyModel = Plain | SomeColumns | Graded | Logistic | Ordinal | TreeGrader | BoostedGrader
