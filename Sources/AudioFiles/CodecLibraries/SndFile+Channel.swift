import CSndFile
import Glibc

extension SndFile {
  /// Functions through which the library reaches a channel; the user data is an unretained pointer to it.
  static var functions: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { user in sf_count_t(LibraryChannel.at(user).length) },
      seek: { offset, whence, user in sf_count_t(LibraryChannel.at(user).seek(Int(offset), whence)) },
      read: { bytes, count, user in sf_count_t(LibraryChannel.at(user).read(bytes!, Int(count))) },
      write: { bytes, count, user in sf_count_t(LibraryChannel.at(user).write(bytes!, Int(count))) },
      tell: { user in sf_count_t(LibraryChannel.at(user).seek(0, SEEK_CUR)) })
  }
}
