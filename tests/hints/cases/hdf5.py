"""Data in HDF5, which tests of C++ write: each mends its file as the hint says, and reads it."""
CASES = []
ELSEWHERE = {
    "wait until that program has closed it": "Hdf5Open.LockedByItsWriterSaysSo",
    "wait for that program; if there is none: h5clear -s {}": "Hdf5Open.LeftOpenByAWriterThatWasKilledSaysHowItIsCleared",
    "name a file that is there and that you may read": "Hdf5Open.WithoutPermissionSaysSo",
    "set HDF5_PLUGIN_PATH to the folder of that filter (hdf5plugin.PLUGIN_PATH of Python's hdf5plugin), or pack it by gzip where "
    "the filter is: h5repack -f GZIP=4 {} OUT": "Hdf5Open.PackedByAFilterThatIsNotInstalledNamesTheFilter",
    "keep each in a folder of its own": "Hdf5.ADataDirIsAFileOrAFolderOfThem",
    "write or fetch the file again": "Hdf5.WhatIsNoneOfTheModelZoosIsRefused",
    "use files of the Model Zoo's preparation of data": "Hdf5.WhatIsNoneOfTheModelZoosIsRefused",
    "set model.max_sequence_length {}, or prepare the data again": "Hdf5.WhatIsNoneOfTheModelZoosIsRefused",
    "rows of a sample are ids, mask and labels; prepare the data again": "Hdf5.WhatIsNoneOfTheModelZoosIsRefused",
    "name a file of HDF5": "Hdf5.APipeIsRefusedWhereverItIs",
    "write the samples into the file itself, as a data set \"data\"": "Hdf5.APipeIsRefusedWhereverItIs",
    "leave such samples out": "Hdf5.IdsMasksAndLabelsAreLookedAt",
    "leave the files of data_dir as they are while a run reads them, and start it again": "ChangedShard.OneOtherBitIsRefused",
}
