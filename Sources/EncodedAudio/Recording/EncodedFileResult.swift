/// File of a user's packets in a recording.
public struct EncodedFileResult: Hashable, Sendable {
  /// User.
  public let uid: UInt32
  /// Path of the file.
  public let path: String
  /// Packets of the user in the file.
  public let packetCount: Int
  /// Length from the beginning of the recording to the end of the last packet, in samples of 48 kHz.
  public let sampleCount: Int
  /// Samples of pauses and losses in that length.
  public let gapSampleCount: Int

  init(_ track: EncodedTrack) {
    uid = track.uid
    path = track.path
    packetCount = track.packetCount
    sampleCount = track.sampleCount
    gapSampleCount = track.gapSampleCount
  }
}
