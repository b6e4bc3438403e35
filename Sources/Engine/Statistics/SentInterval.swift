import MediaStreams
import OpusCodec

/// What senders have counted from one report to the next.
struct SentInterval {
  /// Whether anything was sent, pauses of a voice (DTX) among it.
  private(set) var isSending = false
  /// The least bitrate that a sender has left of what was asked for, 0...1.
  private(set) var bitrateShare: Double?
  private var localSender: PacketSender?
  private var localBytes = 0
  private var localTicks = 0

  mutating func add(_ sender: PacketSender, isLocal: Bool, from old: SenderTotals, to new: SenderTotals) {
    if new.packets + new.suppressed > old.packets + old.suppressed { isSending = true }
    if let share = sender.bitrateShare { bitrateShare = min(bitrateShare ?? 1, share) }
    guard isLocal else { return }
    if localSender == nil { localSender = sender }
    localBytes += new.payloadBytes - old.payloadBytes
    localTicks = max(localTicks, new.tickCount - old.tickCount)
  }

  /// Of what the local user sends; nil where it has no sender.
  func local(loss: Double?) -> LocalAudioStatistics? {
    guard let sender = localSender else { return nil }
    var codec = "null"
    if case .opus = sender.options.codec { codec = "opus" }
    return LocalAudioStatistics(
      channelCount: sender.options.channelCount, sampleRate: OpusOptions.sampleRate,
      sentKilobitsPerSecond: StreamReports.kilobitsPerSecond(localBytes, ticks: localTicks), codec: codec,
      loss: isSending ? loss : nil, audioDeviceDelayMilliseconds: nil, audioPlayoutDelayMilliseconds: nil)
  }

  /// How good the way of what is sent is, by what its far end tells.
  func quality(_ feedback: LinkFeedback) -> NetworkQuality {
    isSending ? NetworkQuality(of: feedback, bitrateShare: bitrateShare) : .unknown
  }
}
