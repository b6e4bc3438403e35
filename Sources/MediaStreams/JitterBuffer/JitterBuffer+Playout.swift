import AudioGraph
import Platform

extension JitterBuffer {
  /// Samples of a step of concealment: 10 ms.
  private static var concealedStep: Int { @_noLocks get { 480 } }
  /// Samples of a grain of concealment: codecs conceal in multiples of 2.5 ms.
  private static var concealedGrain: Int { @_noLocks get { 120 } }
  /// Lateness, in samples, beyond which a packet is played from its beginning and the delay shrinks afterwards: its
  /// sound is worth more. A less late packet is joined at the place that is due by now.
  private static var joinedSamples: Int { @_noLocks get { 1_920 } }
  /// Samples of a blend: sound that follows concealed sound out of step is blended with its continuation over 5 ms.
  private static var blendSamples: Int { @_noLocks get { 240 } }
  /// Excess of silence over a sender's pause, in samples, from which it is not a pause but a stall of the network: 200
  /// ms.
  private static var standstillSamples: Int { @_noLocks get { 9_600 } }
  /// Samples of a fade-in: sound that returns after concealment had begun to fade is faded in over 5 ms.
  private static var fadeInSamples: Int { @_noLocks get { 240 } }

  /// Samples per channel that can be played without decoding.
  var playable: Int { @_noLocks get { samples.held &- JitterBuffer.lookAhead } }

  /// Returns the transit at which the next packet would just be in time, in nanoseconds.
  @_noLocks
  func playoutTransit(at now: Int) -> Int { delay.transit(timestamp: cursor.endTimestamp, at: now) }

  /// Makes sure that a frame can be rendered.
  @_noLocks
  mutating func fill(now: Int) {
    while playable < JitterBuffer.samplesPerFrame {
      if stage.isSilent {
        if !resume(now: now) { idle(JitterBuffer.samplesPerFrame &+ JitterBuffer.margin &- playable) }
      } else {
        produce(now: now)
      }
    }
  }

  /// Adds at least one sample behind those that wait, takes a packet out of the buffer, or ends the stream.
  @_noLocks
  private mutating func produce(now: Int) {
    guard let slot = packets.first(from: cursor.nextSequence) else {
      return stream.isLeaving ? endPlayed() : conceal(JitterBuffer.concealedStep)
    }
    let gap = slot.pointee.timestamp &- cursor.endTimestamp
    let missing = missingCount(before: slot)
    if gap <= 0 {
      // The packet before it is concealed already. With a longer delay it would have been recovered.
      if missing == 1, slot.pointee.hasRedundancy { observeRecoverable(slot.pointee) }
      if gap < 0, missing == 0, cursor.endTimestamp == cursor.decodedEnd { return leaveOut(0 &- gap, of: slot) }
      join(slot, lateBy: 0 &- gap, now: now)
    } else if missing == 0 {
      // The sender left a pause between two packets.
      conceal(gap)
    } else if missing == 1 || gap <= slot.pointee.sampleCount, slot.pointee.hasRedundancy {
      recover(before: slot, gap)
    } else {
      conceal(gap)
    }
  }

  /// Resumes playout, if a packet is there and has waited long enough.
  ///
  /// - Returns: whether samples were added.
  @_noLocks
  private mutating func resume(now: Int) -> Bool {
    guard let slot = packets.first(from: cursor.nextSequence) else { return false }
    let transit = delay.transit(timestamp: slot.pointee.timestamp, at: now)
    let target = delay.target(phase: JitterBuffer.phase(transit), current: nil, now: now)
    delay.setTarget(target)
    guard transit >= target else { return false }
    let missing = missingCount(before: slot)
    if missing == 0, isPause(before: slot.pointee.timestamp) {
      if cursor.frozenRun > 0 { ReachPoints.note(.pauseExcused) }
      counters.frozenSamples &-= cursor.frozenRun
      counters.concealedSamples &-= cursor.frozenRun
      counters.silentConcealedSamples &-= cursor.frozenRun
      counters.idleSamples &+= cursor.frozenRun
      segments.excuseFrozen()
    }
    if cursor.frozenRun > 0 { countOutage(lost: missing) }
    cursor.frozenRun = 0
    stage = .playing
    decode(slot, skipping: 0)
    return true
  }

  /// Returns whether the sender was silent, and nothing was frozen. No packet is missing before the timestamp: after a
  /// stall of the network, it would have continued the last packet's.
  @_noLocks
  private func isPause(before timestamp: Int) -> Bool {
    let passed = timestamp &- (cursor.endTimestamp &- concealment.run &- cursor.frozenRun)
    return passed > 0 && concealment.run &+ cursor.frozenRun &- passed < JitterBuffer.standstillSamples
  }

  /// Plays the new part of a packet that begins before the end of the one that it follows. One of the two lengths, or
  /// their timestamps, is wrong; to play both whole would make the delay grow with each.
  @_noLocks
  private mutating func leaveOut(_ overlap: Int, of slot: UnsafePointer<PacketSlot>) {
    counters.packetsOverlapping &+= 1
    decode(slot, skipping: overlap)
    cursor.decodedEnd = cursor.endTimestamp
  }

  /// Plays a packet although its first `lateBy` samples should have been played already.
  @_noLocks
  private mutating func join(_ slot: UnsafePointer<PacketSlot>, lateBy: Int, now: Int) {
    let transit = delay.transit(timestamp: slot.pointee.timestamp, at: now)
    let isWorthwhile =
      lateBy > JitterBuffer.joinedSamples
      || transit <= delay.target(phase: JitterBuffer.phase(transit), current: nil, now: now)
    decode(slot, skipping: isWorthwhile ? 0 : lateBy)
  }

  /// Decodes a packet, and queues all but its first `skipped` samples.
  @_noLocks
  mutating func decode(_ slot: UnsafePointer<PacketSlot>, skipping skipped: Int) {
    let packet = slot.pointee
    cursor.nextSequence = packet.sequence &+ 1
    counters.samplesPerPacket = max(1, packet.sampleCount)
    defer { packets.remove(packet.sequence) }
    let payload = packets.payload(of: slot)
    let count = decoder.decode(payload, of: packet, into: decoded)
    if count == 0 {
      // Its length was checked, so its samples are due.
      counters.packetsMalformed &+= 1
      cursor.endTimestamp = packet.timestamp
      return conceal(packet.sampleCount)
    }
    counters.decodedSamples &+= count
    cursor.decodedEnd = packet.timestamp &+ count
    let left = min(skipped, count)
    counters.supersededSamples &+= left
    cursor.endTimestamp = max(cursor.endTimestamp, packet.timestamp &+ count)
    if skipped == 0 { cursor.endTimestamp = packet.timestamp &+ count }
    append(
      decoded + left &* options.channelCount, isJoined: left > 0 || concealment.run > 0 && !decoder.conceals,
      PlayoutSegment(
        count: count &- left, arrival: packet.arrival, timestamp: clock.timestamp(packet.timestamp),
        provenance: .decoded))
    if packet.isDiscontinued { stage = .pausing }
  }

  /// Recovers the `gap` samples before a packet from it; if more are missing, the rest is concealed first.
  @_noLocks
  private mutating func recover(before slot: UnsafePointer<PacketSlot>, _ gap: Int) {
    let packet = slot.pointee
    let length = packet.sampleCount
    if gap > length { return conceal(gap &- length) }
    let count = decoder.recover(before: packets.payload(of: slot), into: decoded, count: length)
    if count == 0 { return conceal(gap) }
    cursor.nextSequence = packet.sequence
    cursor.endTimestamp = packet.timestamp
    repaired.recovered.insert(packet.sequence &- 1)
    counters.fecPacketsUsed &+= 1
    counters.decodedSamples &+= count
    counters.supersededSamples &+= count &- gap
    counters.recoveredSamples &+= gap
    observeRecoverable(packet)
    append(
      decoded + (count &- gap) &* options.channelCount, isJoined: gap < count,
      PlayoutSegment(
        count: gap, arrival: packet.arrival, timestamp: clock.timestamp(packet.timestamp &- gap),
        provenance: .recovered))
  }

  /// Reports a lost packet to the delay manager; it is available as soon as the one behind it.
  @_noLocks
  private mutating func observeRecoverable(_ packet: PacketSlot) {
    delay.observeRecovered(
      timestamp: packet.timestamp &- packet.sampleCount, duration: JitterBuffer.nanoseconds(packet.sampleCount),
      arrival: packet.arrival)
  }

  /// Conceals at most 10 ms of `gap` samples.
  @_noLocks
  private mutating func conceal(_ gap: Int) {
    let grain = JitterBuffer.concealedGrain
    let count = (min(gap, JitterBuffer.concealedStep) &+ grain &- 1) / grain &* grain
    if concealment.run == 0 { counters.concealmentEvents &+= 1 }
    cursor.endTimestamp &+= count
    if decoder.conceals {
      decoder.conceal(into: decoded, count: count)
      samples.append(interleaved: decoded, count: count)
    } else {
      let match = lagSearch.earlier(samples, centre: samples.held &- TimeStretchLagSearch.half)
      samples.appendRepetition(count, lag: match.lag)
    }
    segments.append(PlayoutSegment(count: count, provenance: .concealed))
    let ramp = concealment.advance(count)
    if !ramp.isConstant { samples.scale(from: count, count, ramp) }
    counters.concealedSamples &+= count
    if concealment.isSilent { stage = .frozen }
  }

  /// Adds samples out of a packet; those that follow faded concealment are faded in.
  ///
  /// - Parameters:
  ///   - interleaved: samples of the packet.
  ///   - isJoined: whether the codec did not give the samples right behind the sound before them.
  ///   - segment: origin of the samples.
  @_noLocks
  private mutating func append(
    _ interleaved: UnsafeMutablePointer<Float>, isJoined: Bool, _ segment: PlayoutSegment
  ) {
    if segment.count == 0 { return }
    let lag = isJoined ? lagSearch.earlier(samples, centre: samples.held &- TimeStretchLagSearch.half).lag : 0
    samples.append(interleaved: interleaved, count: segment.count)
    segments.append(segment)
    if isJoined { samples.blendNewest(segment.count, lag: lag, fade: min(segment.count, JitterBuffer.blendSamples)) }
    let gain = concealment.gain
    if gain < 1 {
      let faded = min(segment.count, JitterBuffer.fadeInSamples)
      samples.scale(from: segment.count, faded, Ramp(from: gain, to: 1))
    }
    concealment.reset()
  }

  /// Adds sound while nothing is played: silence, or the noise that the sender's codec makes in its pauses.
  @_noLocks
  private mutating func idle(_ count: Int) {
    switch stage {
    case .pausing: appendComfortNoise(count)
    case .frozen:
      samples.appendSilence(count)
      segments.append(PlayoutSegment(count: count, provenance: .concealed, isFrozen: true))
      cursor.endTimestamp &+= count
      counters.concealedSamples &+= count
      counters.silentConcealedSamples &+= count
      counters.frozenSamples &+= count
      cursor.frozenRun &+= count
    case .idle, .starting, .playing: appendIdle(count)
    }
  }

  @_noLocks
  private mutating func appendComfortNoise(_ count: Int) {
    let grain = JitterBuffer.concealedGrain
    let made = (count &+ grain &- 1) / grain &* grain
    decoder.conceal(into: decoded, count: made)
    samples.append(interleaved: decoded, count: count)
    segments.append(PlayoutSegment(count: count, provenance: .decoded))
    cursor.endTimestamp &+= count
    counters.comfortNoiseSamples &+= count
  }

  /// Adds silence that stands for no sound.
  @_noLocks
  mutating func appendIdle(_ count: Int) {
    samples.appendSilence(count)
    segments.append(PlayoutSegment(count: count, provenance: .silence))
    counters.idleSamples &+= count
  }

  /// Returns the place in a frame's 10 ms at which a packet with this transit is due, in nanoseconds.
  @_noLocks
  static func phase(_ transit: Int) -> Int {
    let step = 10_000_000
    let rest = transit % step
    return rest < 0 ? rest &+ step : rest
  }
}
