import AudioGraph
import FrameObservers
import MediaStreams
import Metering

/// The statistics of a pipeline's streams, every 2 s.
extension StreamsState {
  /// A remote user's stream in the interval that ends.
  private struct Heard {
    let key: UserKey
    let track: RemoteAudioTrack
    let report: JitterBufferSnapshot
    let interval: ReceptionInterval
    let feedback: LinkFeedback
  }

  /// Reports statistics and qualities of the interval that ends after this number of ticks.
  func reportStatistics(afterTicks tick: Int) {
    let own = linkFeedback.ownWay(atTick: tick)
    let heard = takeHeard(tick)
    let sent = takeSent(tick)
    core.events.post(PipelineEvent(.callStatistics(callStatistics(heard, sent, own, tick)), tickCount: tick))
    if let local = sent.local(
      loss: own.sentLoss, captureDelayMilliseconds: devices.captureDelayMilliseconds,
      playoutDelayMilliseconds: devices.playoutDelayMilliseconds)
    {
      core.events.post(PipelineEvent(.localAudioStatistics(local), tickCount: tick))
    }
    for user in heard {
      core.events.post(PipelineEvent(.remoteAudioStatistics(statistics(user, tick)), tickCount: tick))
    }
    let ownQuality = NetworkQualityReport(
      uid: 0, sent: sent.quality(own), received: ownReception(heard, roundTripMilliseconds: own.roundTripMilliseconds))
    core.events.post(PipelineEvent(.networkQuality(ownQuality), tickCount: tick))
    for user in heard {
      let loss = user.interval.loss
      let report = NetworkQualityReport(
        uid: user.key.uid, channelID: user.key.channelID, sent: reception(user, loss: loss),
        received: sent.isSending ? NetworkQuality(of: user.feedback) : .unknown)
      core.events.post(PipelineEvent(.networkQuality(report), tickCount: tick))
    }
    reports.intervalStart = tick
    linkFeedback.beginInterval()
  }

  private func takeHeard(_ tick: Int) -> [Heard] {
    users.order.compactMap { key in
      tracks[key]?.pass(to: tick)
      guard let track = tracks[key], let report = track.source.report(afterTicks: tick) else { return nil }
      let interval = ReceptionInterval(
        from: track.reported, to: report.statistics, overdueSamples: track.overdueSamples(report.statistics))
      tracks[key]!.setReported(report.statistics, tick: tick)
      reports.receivedBytes += interval.bytes
      return Heard(
        key: key, track: track, report: report, interval: interval,
        feedback: linkFeedback.feedback(from: .user(uid: key.uid, channelID: key.channelID), atTick: tick))
    }
  }

  private func takeSent(_ tick: Int) -> SentInterval {
    var sent = SentInterval()
    for index in sendings.indices {
      guard let totals = sendings[index].sender.totals(afterTicks: tick) else { continue }
      sent.add(
        sendings[index].sender, isLocal: sendings[index].speaker == nil, from: sendings[index].reported, to: totals)
      reports.sentBytes += totals.payloadBytes - sendings[index].reported.payloadBytes
      sendings[index].reported = totals
    }
    return sent
  }

  private func callStatistics(_ heard: [Heard], _ sent: SentInterval, _ own: LinkFeedback, _ tick: Int)
    -> CallStatistics
  {
    let ticks = tick - reports.intervalStart
    let (sentBytes, receivedBytes) = (reports.sentBytes, reports.receivedBytes)
    defer {
      reports.reportedSentBytes = sentBytes
      reports.reportedReceivedBytes = receivedBytes
    }
    return CallStatistics(
      durationMilliseconds: reports.elapsedMilliseconds(atTick: tick), sentBytes: sentBytes,
      receivedBytes: receivedBytes,
      sentKilobitsPerSecond: StreamReports.kilobitsPerSecond(
        sentBytes - reports.reportedSentBytes, ticks: ticks),
      receivedKilobitsPerSecond: StreamReports.kilobitsPerSecond(
        receivedBytes - reports.reportedReceivedBytes, ticks: ticks),
      sentLoss: sent.isSending ? own.sentLoss : nil, receivedLoss: Self.loss(heard),
      userCount: 1 + users.order.count { $0.channelID == core.options.channelID },
      processorUse: reports.processorMeter?.measure(), lastMileDelayMilliseconds: own.roundTripMilliseconds)
  }

  private func statistics(_ user: Heard, _ tick: Int) -> RemoteAudioStatistics {
    let (track, interval) = (user.track, user.interval)
    let transport = user.feedback.roundTripMilliseconds.map { $0 / 2 }
    var mos = 0
    if !track.wasHeldBack, let concealed = interval.concealedShare {
      let score = MOSEstimate.score(
        concealed: concealed, delayMilliseconds: interval.bufferMilliseconds + (transport ?? 0))
      mos = Int((100 * score).rounded())
    }
    return RemoteAudioStatistics(
      speaker: SpeakerID(uid: user.key.uid, channelID: user.key.channelID),
      quality: reception(user, loss: interval.lossAfterRepair), networkTransportDelayMilliseconds: transport,
      jitterBufferDelayMilliseconds: interval.bufferMilliseconds, loss: interval.lossAfterRepair,
      channelCount: track.source.channelCount, sampleRate: track.source.sampleRate,
      receivedKilobitsPerSecond: StreamReports.kilobitsPerSecond(interval.bytes, ticks: tick - track.reportedTick),
      totalFrozenMilliseconds: 10 * track.frozenTicks,
      frozenShare: track.publishedTicks == 0 ? 0 : Double(track.frozenTicks) / Double(track.publishedTicks),
      totalActiveMilliseconds: 10 * track.activeTicks, publishMilliseconds: 10 * track.publishedTicks, mos: mos)
  }

  /// Returns the quality of one user's received stream.
  private func reception(_ user: Heard, loss: Double?) -> NetworkQuality {
    guard user.track.hasStream else { return .unknown }
    // A stream that has just been unmuted may not be there yet.
    if user.interval.packets == 0 { return user.track.wasRemotelyMuted ? .unknown : .down }
    return NetworkQuality(
      loss: loss ?? 0, roundTripMilliseconds: user.feedback.roundTripMilliseconds,
      jitterMilliseconds: user.report.jitterNanoseconds / 1e6)
  }

  /// Returns the quality of all received streams together.
  private func ownReception(_ heard: [Heard], roundTripMilliseconds: Double?) -> NetworkQuality {
    let streams = heard.filter { $0.track.hasStream && !($0.interval.packets == 0 && $0.track.wasRemotelyMuted) }
    guard !streams.isEmpty else { return .unknown }
    guard let loss = Self.loss(streams), streams.contains(where: { $0.interval.packets > 0 }) else { return .down }
    return NetworkQuality(
      loss: loss, roundTripMilliseconds: roundTripMilliseconds,
      jitterMilliseconds: streams.map { $0.report.jitterNanoseconds / 1e6 }.max())
  }

  private static func loss(_ heard: [Heard]) -> Double? {
    let due = heard.reduce(0) { $0 + $1.interval.expected }
    // Retransmitted packets may have been lost in the interval before.
    return due > 0 ? min(1, Double(heard.reduce(0) { $0 + $1.interval.lost }) / Double(due)) : nil
  }
}
