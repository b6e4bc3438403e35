import MediaStreams
import OpusCodec

/// Counts of senders from one report to the next.
struct SentInterval {
  /// Whether anything was sent, including pauses of a voice (DTX).
  private(set) var isSending = false
  /// Lowest bitrate of a sender, as a share of the requested one, 0...1; nil if no sender knows it.
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

  /// Returns the statistics of the local user; nil if it has no sender.
  func local(
    loss: Double?, captureDelayMilliseconds: Double?, playoutDelayMilliseconds: Double?
  ) -> LocalAudioStatistics? {
    guard let sender = localSender else { return nil }
    var codec = "null"
    if case .opus = sender.options.codec { codec = "opus" }
    return LocalAudioStatistics(
      channelCount: sender.options.channelCount, sampleRate: OpusOptions.sampleRate,
      sentKilobitsPerSecond: StreamReports.kilobitsPerSecond(localBytes, ticks: localTicks), codec: codec,
      loss: isSending ? loss : nil, audioDeviceDelayMilliseconds: captureDelayMilliseconds,
      audioPlayoutDelayMilliseconds: playoutDelayMilliseconds)
  }

  /// Returns the quality of the path of the sent packets, by the far end's feedback.
  func quality(_ feedback: LinkFeedback) -> NetworkQuality {
    isSending ? NetworkQuality(of: feedback, bitrateShare: bitrateShare) : .unknown
  }
}
