import Glibc
public import Platform

/// Failure to read or write a file: the fault, the file and the remedy.
public struct AudioFileError: Error, Hashable, Sendable {
  /// Class of an error, for the program's reaction. The raw values are those of sysexits.h, a command's exit codes.
  public enum Category: Int32, Hashable, Sendable {
    /// The request is not possible; a different one may be.
    case usage = 64
    /// The input is damaged or of a kind that is not read.
    case badData = 65
    /// The input is not there, is a folder, or may not be read.
    case noInput = 66
    /// A program that the call needs is not there.
    case unavailable = 69
    /// The output cannot be made.
    case cannotCreate = 73
    /// Reading or writing failed on the way, or the disk is full.
    case inputOutput = 74
  }

  /// Reason of an error.
  public enum Reason: Hashable, Sendable {
    /// The WAV header cannot be read.
    case header(WAVHeaderError)
    /// The input is not a known kind of sound file.
    case unknownFormat
    /// The file is of a known kind, but its sound is coded in this codec.
    case codec(String)
    /// The rate or the channel count is out of range.
    case format(String)
    /// The library that decodes this kind of file refuses it with this message.
    case decoder(String)
    /// The input begins within a file and is neither WAV nor raw samples.
    case pipeNeedsWAV
    /// More comes through a pipe than is kept for a library that must go back in it.
    case pipeTooLong
    /// The sound has more samples, of all channels, than may be read into memory.
    case tooLong(limit: Int)
    /// A pipe, or the sound of a job, cannot be kept in this folder (errno).
    case spool(Int32, folder: String)
    /// The input is a pipe, and is to be played again or from another place than its beginning.
    case pipeCannotGoBack
    /// The text does not describe raw samples.
    case rawFormat
    /// No known kind of output has this extension or name.
    case outputKind(String)
    /// That kind of output cannot hold such samples, rate or channels.
    case unsupported(String)
    /// That kind of output cannot go through a pipe.
    case outputNeedsFile
    /// The input or the output is a folder.
    case isDirectory(isOutput: Bool)
    /// The sound to write is empty, and this kind of file cannot be without any.
    case noSound(String)
    /// The output was removed under this name while it was written.
    case removed(String)
    /// The input cannot be opened (errno).
    case open(Int32)
    /// The output exists already.
    case exists
    /// An earlier run began the output and did not finish it, under this name.
    case unfinished(String)
    /// The output is a symbolic link that leads to no file.
    case danglingLink
    /// A directory or a link has the name under which the output would be written.
    case inTheWay(String)
    /// Another process is writing this output.
    case busy
    /// The output cannot be made (errno).
    case create(Int32)
    /// Reading failed (errno).
    case read(Int32)
    /// The file ends early: it is damaged, or became shorter while it was read.
    case shrunk
    /// Writing failed (errno); ECANCELED: the caller gave up waiting for a reader.
    case write(Int32)
    /// The caller gave up waiting for the input.
    case cancelled
  }

  /// Remains of an output that could not be finished.
  public enum Remains: Hashable, Sendable {
    /// A valid file of all samples written so far.
    case valid(path: String)
    /// A file that is not whole.
    case incomplete(path: String)
  }

  /// Reason of the error.
  public let reason: Reason
  /// The file's path, or another name for the stream.
  public let path: String
  /// Remains of an output; nil: nothing, or a stream.
  public let remains: Remains?

  /// Creates an error about the file at `path`.
  public init(_ reason: Reason, path: String, remains: Remains? = nil) {
    self.reason = reason
    self.path = path
    self.remains = remains
  }

  /// Class of the error, for the program's reaction.
  public var category: Category {
    switch reason {
    case .header, .unknownFormat, .codec, .format, .decoder, .pipeNeedsWAV, .pipeTooLong, .pipeCannotGoBack, .noSound:
      .badData
    case .rawFormat, .outputKind, .unsupported, .outputNeedsFile, .tooLong: .usage
    case .isDirectory(let isOutput): isOutput ? .cannotCreate : .noInput
    case .open(let code): code == EIO || Self.isOverLimit(code) ? .inputOutput : .noInput
    case .create(let code): Self.isFull(code) || code == EIO ? .inputOutput : .cannotCreate
    case .exists, .unfinished, .danglingLink, .inTheWay, .busy: .cannotCreate
    case .spool, .read, .shrunk, .write, .removed, .cancelled: .inputOutput
    }
  }

  /// Whether leave to overwrite the output is a remedy.
  public var allowsOverwriting: Bool {
    switch reason {
    case .exists, .unfinished: true
    default: false
    }
  }

  /// Whether the disk is too full for the output.
  public var isDiskFull: Bool {
    switch reason {
    case .write(let code), .create(let code), .spool(let code, _): Self.isFull(code)
    default: false
    }
  }

  /// Whether the reader of the output has gone; a program that writes to its standard output ends quietly.
  public var isBrokenPipe: Bool { reason == .write(EPIPE) }

  private static func isOverLimit(_ code: Int32) -> Bool { code == EMFILE || code == ENFILE }

  private static func isFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}

extension AudioFileError: ExitStatusError {
  /// Number of the category.
  public var exitStatus: Int32 { category.rawValue }
}

extension AudioFileError: CustomStringConvertible {
  /// One sentence: the file, the fault and the remedy.
  public var description: String { "\(path): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .header(let error): error.description
    case .unknownFormat:
      "this is not a sound file of a known kind; give WAV, FLAC, Ogg Vorbis, Opus, MP3, AIFF, AU, CAF or W64"
    case .codec(let name):
      "the samples are coded as \(name), which is not read; convert the file to WAV first"
    case .format(let text): text
    case .decoder(let text): "the file cannot be decoded (\(text)); it may be damaged, make it anew"
    case .pipeNeedsWAV:
      "this begins within a file, where only WAV or, with --raw, headerless samples can be read; give the file's path"
    case .pipeTooLong:
      "more than 4 GiB come through this pipe, and only WAV and, with --raw, headerless samples may be longer; give the file's path"
    case .tooLong(let limit):
      "the sound has more than the \(limit) samples that may be read into memory; read it in blocks, or raise the limit"
    case .spool(let code, let folder):
      "the sound is kept in \(folder) meanwhile, which cannot be written (\(Self.text(code))); free some space, or name another "
        + "directory in TMPDIR"
    case .pipeCannotGoBack: "this is a pipe, which is read once, from its beginning; give the path of a file"
    case .rawFormat: "this does not describe raw samples; write FORMAT:RATE:CHANNELS, such as s16:48000:2"
    case .outputKind(let name): "\"\(name)\" is not a known kind of output; use \(AudioContainer.outputNames)"
    case .unsupported(let text): text
    case .outputNeedsFile: "only WAV can be written to a pipe; give a path for this kind of output"
    case .isDirectory(let isOutput): "this is a directory; give the path of a file\(isOutput ? " in it" : "")"
    case .open(ENOENT), .open(ENOTDIR): "there is no such file; check the path"
    case .open(EACCES), .open(EPERM):
      "you have no permission to read this file; change its mode or use a copy"
    case .open(let code) where Self.isOverLimit(code), .create(let code) where Self.isOverLimit(code):
      "too many files are open; raise the limit (ulimit -n) or do less at once"
    case .open(let code): "the file cannot be opened (\(Self.text(code))); check the path"
    case .exists: "this file exists already; \(remainsText)choose another name, or allow it to be overwritten"
    case .unfinished(let name):
      "\(name) is there already, perhaps left by a run that was killed; give it another name or remove it, or allow it to be "
        + "overwritten"
    case .danglingLink:
      "this is a symbolic link that leads to no file; remove it, or name the file that it should lead to"
    case .inTheWay(let name):
      "\(name), under which it is written until it is whole, is a directory or a link; remove that or choose another name"
    case .busy: "another process is writing this file; wait for it or choose another name"
    case .create(ENOENT), .create(ENOTDIR): "the directory for this file does not exist; make it first"
    case .create(EACCES), .create(EPERM):
      "you have no permission to write this file; \(remainsText)choose another place"
    case .create(let code) where Self.isFull(code):
      "the disk is full; free some space or choose another place"
    case .create(ENAMETOOLONG):
      "the name is too long: while it is written, the file has it with .part behind; choose a shorter one"
    case .create(let code): "the file cannot be made (\(Self.text(code))); \(remainsText)choose another place"
    case .read(let code): "reading failed (\(Self.text(code))); \(remainsText)check the disk or the connection"
    case .noSound(let kind):
      "the sound to write is empty, and \(kind) files without any cannot be read; write WAV instead"
    case .removed(let name):
      "\(name) was removed or renamed while it was written, and the sound went with it; leave it alone until it has its "
        + "own name"
    case .shrunk: "the file ends before the length that it promised; mend it, and leave it alone while it plays"
    case .cancelled: "reading was given up before the input's end"
    case .write(EPIPE): "whoever was reading this output has gone"
    case .write(ECANCELED): "writing was given up before the output's end, as nobody read on"
    case .write(EFBIG): "the file is as large as it may be; \(remainsText)raise the limit (ulimit -f) or write less"
    case .write(let code) where Self.isFull(code):
      "the disk is full; \(remainsText)free some space or choose another place"
    case .write(let code): "writing failed (\(Self.text(code))); \(remainsText)check the disk"
    }
  }

  private var remainsText: String {
    switch remains {
    case nil: ""
    case .valid(path): "what was written is valid; "
    case .valid(let name): "what was written is valid and stays as \(name); "
    case .incomplete(let name): "\(name) stays, but is not whole; "
    }
  }

  private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
