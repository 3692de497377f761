"""What can go wrong: one class for each kind of failure, with its data as attributes.

Every class is a :class:`DycausalError`. Where Python has a class of its own for the same thing
(:class:`ValueError`, :class:`FileNotFoundError`, …) it is that as well.

>>> from dycausal import Ordered
>>> try:
...     Ordered(level=2.0).check()
... except ParameterError as error:
...     print(error.name, error.found)
level 2
"""

from __future__ import annotations

import json
from typing import Any


class DycausalError(Exception):
    """Any failure of dycausal.

    Parameters
    ----------
    message : str
        What was found, what was expected and what to do.
    **fields
        The same as data; each is an attribute.
    """

    def __init__(self, message: str = "", **fields: Any) -> None:
        super().__init__(message)
        self.message = message
        self.fields = fields

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__.get("fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"{type(self).__name__} has no field {name!r}; it has: {sorted(fields)}")

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (type(self), self.message, self.fields))


class DycausalWarning(UserWarning):
    """What a user should know of a result."""


def _again(kind: type[DycausalError], message: str, fields: dict[str, Any]) -> DycausalError:
    return kind(message, **fields)


class InputError(DycausalError, ValueError):
    """What was given is at fault."""


class ParameterError(InputError):
    """A parameter has a value outside its range: `name`, `found`, `expected`."""


class UnknownParameterError(InputError):
    """A method has no such parameter: `method`, `name`, `nearest`, `known`."""


class UnknownMethodError(InputError):
    """No method has this name: `name`, `nearest`, `known`."""


class ShapeError(InputError):
    """Parts that belong together have different sizes: `what`, `found`, `expected`."""


class DuplicateNameError(InputError):
    """Two variables or series have one name: `what`, `name`, `first`, `second`."""


class NotFiniteError(InputError):
    """A value is infinite: `variable`, `series`, `step`, `value` (as text)."""


class NotPositiveError(InputError):
    """A logarithm of what has none: `variable`, `series`, `step`, `time`, `value`."""


class AllMissingError(InputError):
    """A variable has no value: `variable`."""


class ConstantError(InputError):
    """A variable never changes: `variable`, `value`."""


class TooShortError(InputError):
    """The series are too short for the lag: `steps`, `lag`, `needed`."""


class NoCompleteRowError(InputError):
    """No row has all of its values: `variables`, `lag`, `missing`."""


class MissingNotSupportedError(InputError):
    """The method needs every cell: `method`, `missing`."""


class KnowledgeError(InputError):
    """What is known contradicts itself or does not fit the data: `source_name`, `lines`, `what`."""


class KnowledgeNotSupportedError(InputError):
    """The method cannot honour what is known: `method`, `what`, `source_name`."""


class TooLargeError(InputError):
    """An array would not fit: `what`, `bytes`, `limit`."""


class NoMemoryError(InputError, MemoryError):
    """There is not enough memory: `what`, `needed`, `limit`, `whose`, `help`, `remedy`."""


class CheckpointError(InputError):
    """What was kept of an interrupted fit cannot be used: `what`."""


class NumericalError(DycausalError, ArithmeticError):
    """Numbers left the range in which the method works: `stage`, `what`."""


class StillError(NumericalError):
    """A variable does not move around its mean: `variable`."""


class CancelledError(DycausalError):
    """The caller asked to stop."""


class UnknownChoiceError(InputError):
    """A word is not among the choices: `what`, `found`, `nearest`, `known`."""


class UnstableError(InputError):
    """No stable system was found to simulate: `radius`, `draws`, `low`, `high`, `density`, `decay`."""


class ExplodesError(InputError):
    """Simulated values leave all bounds: `step`, `rms`, `limit`."""


class NoSuchFileError(InputError, FileNotFoundError):
    """There is no such file: `file`, `nearest`."""


class NoFileFitsError(InputError, FileNotFoundError):
    """A pattern fits no file: `pattern`, `reason`."""


class OtherColumnsError(InputError):
    """A file has other variables than the first: `file`, `first`, `column`, `here`."""


class OtherTimesError(InputError):
    """A file has times of another kind than the first: `file`, `first`."""


class DirectoryError(InputError, IsADirectoryError):
    """A folder was given where a file is needed: `file`."""


class EmptyFileError(InputError):
    """The file has no bytes: `file`."""


class UnreadableError(InputError, OSError):
    """The system does not let us read: `file`, `reason`."""


class UnknownFormatError(InputError):
    """The format is not known: `file`, `extension`, `setting`, `known`."""


class EndlessError(InputError):
    """What is no file has more bytes than allowed: `file`, `limit`."""


class MalformedError(InputError):
    """A file is not what its format says: `file`, `format`, `found`, `expected`, `remedies`."""


class NotApplicableError(InputError):
    """An option does not go with the format: `file`, `option`, `format`."""


class OptionsTogetherError(InputError):
    """An option needs another: `file`, `option`."""


class CellError(InputError):
    """A cell does not hold what its column holds.

    `file`, `place`, `column`, `found`, `expected`, `remedies`.
    """


class RaggedError(InputError):
    """A row is longer or shorter than the header: `file`, `line`, `found`, `expected`."""


class EncodingError(InputError):
    """Text is not UTF-8: `file`, `line`."""


class DuplicateColumnError(InputError):
    """Two columns have one name: `file`, `name`, `first`, `second`."""


class NoSuchColumnError(InputError, KeyError):
    """A column is not there: `file`, `name`, `nearest`, `known`."""


class ColumnTypeError(InputError, TypeError):
    """A column holds neither numbers nor times: `file`, `column`, `found`."""


class NoVariableError(InputError):
    """No column is left to be a variable: `file`."""


class TooFewRowsError(InputError):
    """There are too few rows: `file`, `found`."""


class TimeOrderError(InputError):
    """Times stand still or go back: `file`, `column`, `earlier`, `later`."""


class DuplicateRowError(InputError):
    """Two rows are of one series and one time: `file`, `id`, `time`, `first`, `second`."""


class DuplicateValueError(InputError):
    """Two rows give one value: `file`, `id`, `time`, `variable`, `first`, `second`."""


class UnevenError(InputError):
    """Times are not even: `file`, `column`, `typical`, `gap`, `earlier`, `later`, `every`."""


class TooManyHolesError(InputError):
    """Holes in time are too long: `file`, `column`, `times`, `steps`, `step`, `from`, `to`, `hole`."""


class FewCommonTimesError(InputError):
    """The series have too few times in common: `file`, `series`, `times`, `rows`."""


class ArrayError(InputError):
    """An array has the wrong type or shape: `file`, `found`, `expected`."""


class WhichArrayError(InputError):
    """A file holds several arrays: `file`, `problem`, `arrays`."""


class WhichSheetError(InputError):
    """A spreadsheet has no such sheet: `file`, `problem`, `sheets`."""


class ExistsError(InputError, FileExistsError):
    """The folder is already there: `folder`. Give ``force=True`` to replace it."""


class NotOursError(InputError):
    """The folder holds what was not written here: `folder`, `stranger`."""


class UnwritableError(DycausalError, OSError):
    """The system does not let us write: `path`, `reason`, `input`."""


class NotARunError(InputError):
    """The folder is not that of a run: `folder`, `reason`."""


class OtherShapeError(InputError):
    """Data or truth do not belong to the graph: `what`, `found`, `expected`."""


class UnknownNameError(InputError):
    """A name is not in a list: `what`, `found`, `nearest`, `known`."""


class ExperimentError(InputError):
    """The file of an experiment is not what it has to be: `experiment`, `reason`."""


class UnusableError(InputError):
    """A folder or file cannot be used: `path`, `reason`."""


def from_rust(variant: str, message: str, fields: str) -> DycausalError:
    """The exception of a variant of Rust's errors; called by the extension."""
    kind = globals().get(f"{variant}Error", DycausalError)
    data = json.loads(fields)
    found: DycausalError = kind(message, **data) if isinstance(data, dict) else kind(message)
    return found
