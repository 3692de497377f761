"""Exceptions: classes, fields, pickles."""

import pickle

import dycausal
import pytest
from dycausal import errors


def test_every_class_is_documented_and_a_dycausal_error():
    kinds = [kind for name, kind in vars(errors).items() if name.endswith("Error") and isinstance(kind, type)]
    assert len(kinds) > 40
    for kind in kinds:
        assert issubclass(kind, errors.DycausalError)
        assert kind.__doc__


def test_fields_are_attributes_and_survive_pickling():
    error = errors.from_rust("Parameter", "level is 2", '{"name": "level", "found": "2", "expected": "less"}')
    again = pickle.loads(pickle.dumps(error))
    for one in (error, again):
        assert type(one) is errors.ParameterError
        assert (str(one), one.name, one.found) == ("level is 2", "level", "2")
    with pytest.raises(AttributeError, match="has no field 'line'"):
        error.line  # noqa: B018


def test_a_variant_that_python_does_not_know_is_still_an_error():
    assert type(errors.from_rust("Brand New", "what", "null")) is errors.DycausalError


def test_files_that_are_not_there_or_not_what_they_say(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        dycausal.read(tmp_path / "data.csv")
    assert isinstance(raised.value, errors.NoSuchFileError)
    assert raised.value.file.endswith("data.csv")
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,2\n3\n")
    with pytest.raises(errors.RaggedError) as ragged:
        dycausal.read(path)
    assert (ragged.value.line, ragged.value.found, ragged.value.expected) == (3, 1, 2)
    with pytest.raises(errors.DirectoryError):
        dycausal.read(tmp_path)
    path.write_text("a,b\n1,2\n3,inf\n")
    with pytest.raises(errors.InputError, match=r"data\.csv"):
        dycausal.read(path)


def test_messages_name_the_keywords_that_help(tmp_path):
    path = tmp_path / "data.csv"
    for text, keywords in [
        ("city,a\nOslo,1\nBergen,2\n", "(drop=)"),
        ('a,b\n"1,5",2\n', '(decimal="comma")'),
        ("date,a\n2024-01-01,1\n2024-01-01,2\n", '(id=, time="")'),
        ("date,a\n03/04/2021,1\n04/04/2021,2\n", '(dates="day-first", dates="month-first")'),
    ]:
        path.write_text(text)
        with pytest.raises(errors.InputError) as raised:
            dycausal.read(path)
        assert str(raised.value).endswith(keywords)
        assert "--" not in str(raised.value)
    with pytest.raises(errors.NotApplicableError, match=r"\(array=\)"):
        dycausal.read(path, array="x")


def test_a_file_is_read_as_on_the_command_line(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("date,rain,river\n2024-01,3,NA\n2024-02,1,2.5\n")
    panel = dycausal.read(path)
    assert panel.names == ["rain", "river"]
    assert panel.times.labels == ["2024-01", "2024-02"]
    assert panel.notes == ["column `date` is taken as the time"]
    assert dycausal.as_panel(panel) is panel
    assert dycausal.read(path, columns=["river"]).names == ["river"]
