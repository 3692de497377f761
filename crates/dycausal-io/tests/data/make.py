"""Writes the files of this folder with numpy, pandas, pyarrow, scipy, openpyxl and odfpy.

    pip install numpy pandas pyarrow scipy openpyxl odfpy
    python make.py

Every file holds the same table: 4 steps of three variables (rain, river, soil), the river missing
at step 2; the panel files hold it twice, the second time doubled.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
from scipy.io import savemat

here = Path(__file__).parent
values = np.array([[0.1, 1e-300, 3], [1 / 3, np.nan, -2.5], [1e22, -0.0, 7], [5e-324, 2.5, 1e-7]])
names = ["rain", "river", "soil"]
panel = np.stack([values, 2 * values])
days = pd.date_range("2024-01-30", periods=4, freq="D")
hours = pd.date_range("2024-01-30 22:00", periods=4, freq="h", tz="Europe/Berlin")
table = pd.DataFrame(values, columns=names)
dated = table.set_index(days.rename("date"))

np.save(here / "wide.npy", values)
np.save(here / "panel.npy", panel)
np.save(here / "fortran.npy", np.asfortranarray(panel))
np.save(here / "big_endian.npy", values.astype(">f8"))
np.save(here / "single.npy", np.float32(values[:2]))
np.save(here / "integers.npy", np.arange(6).reshape(3, 2))
np.save(here / "complex.npy", np.ones((3, 2), complex))
np.save(here / "objects.npy", np.array([[1, "a"]], object))
np.save(here / "one_dimension.npy", np.ones(3))
np.save(here / "four_dimensions.npy", np.ones((2, 2, 2, 2)))
np.save(here / "truth_bool.npy", np.eye(3, dtype=bool)[None] ^ np.ones((2, 3, 3), bool))
np.savez(here / "named.npz", data=values, names=np.array(names))
np.savez_compressed(here / "several.npz", first=panel, second=values)

table.to_csv(here / "index.csv")
dated.to_csv(here / "dated.csv")
table.set_index(hours.rename("time")).to_csv(here / "zoned.csv")
long = pd.concat({"b": dated, "a": (2 * dated).iloc[1:]}, names=["station"]).reset_index()
long.to_csv(here / "long.csv", index=False)

dated.to_parquet(here / "dated.parquet")
table.to_parquet(here / "plain.parquet", index=False)
table.set_index(hours.rename("time")).to_parquet(here / "zoned.parquet")
long.to_parquet(here / "long.parquet")
long.assign(station=long.station.astype("category")).to_parquet(here / "category.parquet")
whole = {"rain": [1, 2, 3], "river": pd.array([1, None, 3], "Int64"), "soil": np.uint8([1, 0, 255])}
pd.DataFrame(whole).to_parquet(here / "integers.parquet")
dated.reset_index().to_feather(here / "dated.feather")
dated.reset_index().to_feather(here / "lz4.arrow", compression="lz4")
feather.write_feather(pa.Table.from_pandas(long), here / "zstd.arrow", compression="zstd")

savemat(here / "wide.mat", {"data": values, "rate": 250.0, "title": "text"})
savemat(here / "packed.mat", {"data": values, "panel": panel}, do_compression=True)
savemat(here / "integers.mat", {"data": np.arange(6, dtype=np.int16).reshape(3, 2)})

hourly = table.set_index(hours.tz_localize(None).rename("when"))
for book, engine in [("book.xlsx", "openpyxl"), ("book.ods", "odf")]:
    with pd.ExcelWriter(here / book, engine=engine) as writer:
        dated.to_excel(writer, sheet_name="daily")
        hourly.to_excel(writer, sheet_name="by hour", startrow=2, startcol=1)
