import Glibc
public import Platform

/// Failure of a manifest, a shard, a name or a journal: its kind, and a sentence to show.
public struct BatchError: Error, Hashable, Sendable {
  /// Class of an error, for the program's reaction.
  public enum Kind: Hashable, Sendable {
    /// An argument cannot be used, or two rows would have one output.
    case usage
    /// The results in the folder are of another manifest, of other lengths or of other work.
    case otherWork
    /// The manifest has a line that is not a row, or is not a manifest.
    case badData
    /// The input is not there, is a folder, or may not be read.
    case noInput
    /// The system does not give enough open files.
    case unavailable
    /// The output cannot be made.
    case cannotCreate
    /// The output is there already.
    case exists
    /// Another worker has the shard.
    case busy
    /// Reading or writing failed on the way, or the disk is full.
    case inputOutput
    /// The caller gave up waiting for the manifest.
    case cancelled
  }

  /// Kind of the fault.
  public let kind: Kind
  /// Sentence to show: the file or the row, the fault and the remedy.
  public let message: String
  /// The same sentence with the options of `audiopipe batch` as its remedy.
  package let commandMessage: String

  /// Creates an error from its parts.
  public init(_ kind: Kind, _ message: String) { self.init(kind, message, inCommand: message) }

  /// Creates an error that has an option as its remedy in the command.
  package init(_ kind: Kind, _ message: String, inCommand commandMessage: String) {
    self.kind = kind
    self.message = message
    self.commandMessage = commandMessage
  }

  /// Returns the error for an argument that cannot be used.
  package static func usage(_ message: String) -> BatchError { BatchError(.usage, message) }

  /// Returns the system's words for an error number.
  static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Whether an error number says that the disk is too full.
  static func isFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }
}

extension BatchError: CustomStringConvertible {
  public var description: String { message }
}

extension BatchError: ExitStatusError {
  /// Status of sysexits.h: 64 to 66, 69, 73 or 74.
  public var exitStatus: Int32 {
    switch kind {
    case .usage, .otherWork: EX_USAGE
    case .badData: EX_DATAERR
    case .noInput: EX_NOINPUT
    case .unavailable: EX_UNAVAILABLE
    case .cannotCreate, .exists, .busy: EX_CANTCREAT
    case .inputOutput, .cancelled: EX_IOERR
    }
  }
}
