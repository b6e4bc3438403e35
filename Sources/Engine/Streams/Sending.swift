import AudioGraph
import MediaStreams

/// The packets that one sender creates from a voice.
struct Sending {
  let sender: PacketSender
  /// The speaker; nil: the local user.
  let speaker: UserKey?
  var tap: DetachableTap
  /// The sender's totals at the last report, or when it was added.
  var reported: SenderTotals
}
