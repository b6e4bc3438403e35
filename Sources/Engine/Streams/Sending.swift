import AudioGraph
import Effects
import MediaStreams

/// The packets that one sender creates from a voice.
struct Sending {
  let sender: PacketSender
  /// The speaker; nil: the local user.
  let speaker: UserKey?
  var tap: DetachableTap
  /// Parts of the local user's sound; a speaker sends all of them.
  var parts = SentParts.all
  /// Path of a part; nil for the whole sound.
  var partial: LimitedMix?
  /// The sender's totals at the last report, or when it was added.
  var reported: SenderTotals
}
