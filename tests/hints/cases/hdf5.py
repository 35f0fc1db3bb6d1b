"""Samples in HDF5. Hints about how a file is opened are followed by tests of C++: each mends its file as the hint says, and reads it."""
from cases.network_files import CLASSES
from deeds import HDF5, TOKENIZER, base, both, editing, in_shell, words
from follow import Case


def samples(name, hint, line, how):
    """A file d/a.h5 that lacks something, made by a shell's line."""
    return Case(name, hint, before=f"mkdir d; {line}", words=["--train_input.data_dir", "d/a.h5"], how=how)


def written(*options):
    return in_shell(" ".join([HDF5, "d/a.h5", *options]))


CLASSED = ["--model.network", "net.yaml", "--model.num_classes", "2"]
VIRTUAL = f"{HDF5} d/b.h5; {HDF5} d/a.h5 virtual b.h5"
AWAY = "put that file where it was when this one was written, or write the data into one file"

CASES = [
    samples("samples of several documents", "set train_input.use_vsl true: 5 rows are of samples of several documents", f"{HDF5} d/a.h5 rows 5",
            words("--train_input.data_dir", "d/a.h5", "--train_input.use_vsl", "true")),
    Case("samples of one document", "rows are ids, mask, labels, attention_span and position_ids; leave out train_input.use_vsl for others",
         before=f"mkdir d; {HDF5} d/a.h5", words=["--train_input.data_dir", "d/a.h5", "--train_input.use_vsl", "true"],
         how=words("--train_input.data_dir", "d/a.h5")),
    Case("a text as samples of several documents", "give samples in HDF5 (docs/howto/text.md), or leave it out", words=["--train_input.use_vsl", "true"],
         how=both(in_shell(f"mkdir d; {HDF5} d/a.h5 rows 5"), words("--train_input.data_dir", "d/a.h5", "--train_input.use_vsl", "true"))),
    Case("documents that samples mark and a token ends", "leave model.document_end out", before=f"mkdir d; {HDF5} d/a.h5 rows 5",
         words=["--train_input.data_dir", "d/a.h5", "--train_input.use_vsl", "true", "--model.document_end", "3"],
         how=words("--train_input.data_dir", "d/a.h5", "--train_input.use_vsl", "true")),
    Case("zoo eval_input use_vsl", "set train_input.use_vsl, which is that of both", before=f"mkdir d; {HDF5} d/a.h5 rows 5",
         edits=[("model:\n", "eval_input:\n  use_vsl: true\n  data_dir: d/a.h5\n  batch_size: 4\nmodel:\n")],
         how=both(editing("  use_vsl: true\n", ""), words("--train_input.data_dir", "d/a.h5", "--train_input.use_vsl", "true"))),
    samples("samples with segments", "4 rows have segments: use a network with embeddings of them, as bert", f"{HDF5} d/a.h5 rows 4",
            words("--train_input.data_dir", "d/a.h5", "--model.network", "bert", "--model.num_segments", "2")),
    Case("samples without classes", "rows of a sample are ids, mask, labels, and classes of the network's other loss", files={"net.yaml": CLASSES},
         before=f"mkdir d; {HDF5} d/a.h5", words=["--train_input.data_dir", "d/a.h5", *CLASSED], how=written("rows", "4")),
    Case("a text without classes", "give samples in HDF5 (docs/howto/text.md)", files={"net.yaml": CLASSES}, words=CLASSED,
         how=both(in_shell(f"mkdir d; {HDF5} d/a.h5 rows 4"), words("--train_input.data_dir", "d/a.h5", *CLASSED))),
    samples("samples that were never written", "let the program that writes it end, or write the file again", f"{HDF5} d/a.h5 written 9", written()),
    samples("samples of a file that is elsewhere", AWAY, f"{VIRTUAL}; mv d/b.h5 elsewhere", in_shell("mv elsewhere d/b.h5")),
    samples("samples of a file that is gone", AWAY, f"{VIRTUAL}; rm d/b.h5", written()),
    samples("samples that have no file", "write the file again with all of the data", f"{VIRTUAL} mapped 9", written("virtual", "b.h5")),
    samples("numbers that are cut short", "write or fetch that file again", f"{HDF5} d/a.h5 external d/numbers; cp d/numbers whole; "
            "head -c 99 whole > d/numbers", in_shell("cp whole d/numbers")),
    Case("samples for weft tokenize", "give the file as data_dir without a change, if the Model Zoo wrote the file", command=["tokenize"],
         before=f"mkdir d; {HDF5} d/a.h5; {TOKENIZER}", words=["d/a.h5", "--tokenizer", "t/tokenizer.json", "--out", "o.bin"],
         how=both(base("run", "--params", "mine.yaml", "--model_dir", "out"), words("--train_input.data_dir", "d/a.h5"))),
]
ELSEWHERE = {
    "wait until that program has closed it": "Hdf5Open.LockedByItsWriterSaysSo",
    "wait for that program; if there is none: h5clear -s {}": "Hdf5Open.LeftOpenByAWriterThatWasKilledSaysHowItIsCleared",
    "name an existing file that you may read": "Hdf5Open.WithoutPermissionSaysSo",
    "set HDF5_PLUGIN_PATH to the folder of that filter (hdf5plugin.PLUGIN_PATH of Python's hdf5plugin), or pack it by gzip where "
    "the filter is: h5repack -f GZIP=4 {} OUT": "Hdf5Open.PackedByAFilterThatIsNotInstalledNamesTheFilter",
    "read it with Python's h5py, which has LZF, and write it with compression=\"gzip\"": "Hdf5Open.PackedByLzfSaysThatH5pyReadsIt",
    "keep each in a folder of its own": "Hdf5.ADataDirIsAFileOrAFolderOfThem",
    "keep samples and corpora in folders of their own": "Hdf5Corpus.ADataDirMayBeOne",
    "write or fetch the file again": "Hdf5.NonModelZooFileIsRejected",
    "use files of the Model Zoo's preparation of data": "Hdf5.NonModelZooFileIsRejected",
    "set model.max_sequence_length {}, or prepare the data again": "Hdf5.NonModelZooFileIsRejected",
    "rows of a sample are ids, mask and labels; prepare the data again": "Hdf5.NonModelZooFileIsRejected",
    "use model.num_segments {} or more": "Hdf5.ALabelOfMinus100DoesNotCountAndAFourthRowHasSegments",
    "name a file of HDF5": "Hdf5.APipeIsRefusedWhereverItIs",
    "write the samples into the file itself, as a data set \"data\"": "Hdf5.APipeIsRefusedWhereverItIs",
    "position_ids count from 0 in each document, and attention_span down to 0":
        "Hdf5Vsl.SpansAndPositionsThatAreNotThoseOfDocumentsAreRejected",
    "give \"labels\" a number for each sample or for each token, NaN for none": "Hdf5Numbers.OtherLabelsAreRejected",
    "rows of a sample are ids and, in a network with embeddings of segments, perhaps these": "Hdf5Numbers.OtherLabelsAreRejected",
    "leave such samples out": "Hdf5.IdsMasksAndLabelsAreLookedAt",
    "leave the files of data_dir as they are while a run reads them, and start it again": "ChangedShard.OneOtherBitIsRefused",
}
