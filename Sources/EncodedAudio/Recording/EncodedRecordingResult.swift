/// Files of a recording that has ended.
public struct EncodedRecordingResult: Hashable, Sendable {
  /// Files in the order of uids. One that could not be written to its end is whole up to its last page.
  public let files: [EncodedFileResult]
  /// Files that could not be made or written to their end, in the order of their failures.
  public let failures: [EncodedFileError]

  init(files: [EncodedFileResult] = [], failures: [EncodedFileError] = []) {
    self.files = files
    self.failures = failures
  }
}
