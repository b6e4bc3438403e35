import Platform
import RTP

extension JitterBuffer {
  /// Puts a packet into the buffer, and reports it to the delay manager.
  @_noLocks
  mutating func store(
    _ info: PayloadInfo, _ payload: UnsafeRawBufferPointer, sequence: Int, timestamp: Int, arrival: Int,
    origin: PacketOrigin
  ) {
    guard window.insert(sequence) else {
      counters.packetsDuplicated &+= 1
      if case .first = origin { takeBack(sequence) }
      return
    }
    counters.packetsReceived &+= 1
    counters.bytesReceived &+= payload.count
    stream.newestArrival = arrival
    if info.hasRedundancy {
      counters.fecPacketsReceived &+= 1
      stream.newestFEC = arrival
    }
    if case .first = origin { jitter.observe(sequence: sequence, timestamp: timestamp, arrival: arrival) }
    observe(info, sequence: sequence, timestamp: timestamp, arrival: arrival, origin: origin)
    // Before playout starts, a packet sent earlier that comes later is still welcome.
    if case .starting = stage, sequence < cursor.nextSequence { cursor.nextSequence = sequence }
    if sequence < cursor.nextSequence || isPassed(timestamp &+ info.sampleCount, origin) {
      counters.packetsDiscarded &+= 1
      return
    }
    if sequence &- cursor.nextSequence >= PacketBuffer.capacity {
      ReachPoints.note(.packetFarAhead)
      // The packet is so far ahead that the waiting packets would hold it up for seconds.
      cursor.nextSequence = sequence &- PacketBuffer.capacity &+ 1
      counters.packetsDiscarded &+= packets.removeAll(below: cursor.nextSequence)
    }
    let slot = PacketSlot(
      sequence: sequence, timestamp: timestamp, sampleCount: info.sampleCount, arrival: arrival,
      byteCount: payload.count, hasRedundancy: info.hasRedundancy, isDiscontinued: info.isDiscontinued,
      isALaw: info.isALaw)
    if !packets.insert(slot, payload: payload) {
      counters.packetsDiscarded &+= 1
      return
    }
    if case .first = origin { return }
    counters.retransmittedPacketsUsed &+= 1
    repaired.retransmittedInTime.insert(sequence)
  }

  /// Notes a packet without sound: its number is not missing.
  @_noLocks
  mutating func noteSoundless(_ sequence: Int, arrival: Int) {
    if window.insert(sequence) { stream.newestArrival = arrival } else { counters.packetsDuplicated &+= 1 }
  }

  /// Returns the packets missing before one that waits. Packets without sound have come and are not in the buffer.
  @_noLocks
  func missingCount(before slot: UnsafePointer<PacketSlot>) -> Int {
    var count = 0
    for sequence in cursor.nextSequence..<max(cursor.nextSequence, slot.pointee.sequence)
    where !window.contains(sequence) { count &+= 1 }
    return count
  }

  /// Returns whether a retransmitted packet with this end is concealed already; to play it after all would be to go
  /// back. A packet that comes for the first time may say that the path has become longer.
  @_noLocks
  private func isPassed(_ end: Int, _ origin: PacketOrigin) -> Bool {
    if case .first = origin { return false }
    guard !stage.isWaiting && end <= cursor.endTimestamp &- samples.held else { return false }
    ReachPoints.note(.answerTooLate)
    return true
  }

  /// Takes back a retransmission: the packet itself has come after its answer, so it was not lost on the path.
  @_noLocks
  private mutating func takeBack(_ sequence: Int) {
    guard repaired.retransmitted.remove(sequence) else { return }
    counters.retransmittedPacketsReceived &-= 1
    if repaired.retransmittedInTime.remove(sequence) { counters.retransmittedPacketsUsed &-= 1 }
  }

  /// Reports a packet to the delay manager.
  @_noLocks
  private mutating func observe(
    _ info: PayloadInfo, sequence: Int, timestamp: Int, arrival: Int, origin: PacketOrigin
  ) {
    let duration = JitterBuffer.nanoseconds(info.sampleCount)
    // A packet recovered in time need not have come: its sender may have sent it again.
    let wasMissed = !repaired.recovered.contains(sequence)
    if case .first = origin {} else { noteResent(sequence) }
    if case .retransmitted = origin { return }
    guard wasMissed else { return }
    let next = packets.packet(sequence &+ 1)
    if options.isRelayed, hasFEC, window.contains(sequence &+ 1) {
      // A packet that a relay has requested comes after two paths. With FEC, it was available with the next one. A wait
      // would delay all packets for the few without a copy in the next.
      guard let next else { return }
      delay.observeRecovered(timestamp: timestamp, duration: duration, arrival: next.pointee.arrival)
    } else if case .first = origin {
      delay.observe(timestamp: timestamp, duration: duration, arrival: arrival, playout: playoutTransit(at: arrival))
    } else {
      // A packet that the one behind it could have recovered was available as soon as that one.
      var available = arrival
      if let next, next.pointee.hasRedundancy { available = next.pointee.arrival }
      delay.observeRecovered(timestamp: timestamp, duration: duration, arrival: available)
    }
  }

  @_noLocks
  private mutating func noteResent(_ sequence: Int) {
    counters.retransmittedPacketsReceived &+= 1
    repaired.retransmitted.insert(sequence)
  }
}
