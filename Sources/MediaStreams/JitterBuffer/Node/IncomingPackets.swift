import AudioGraph
import RTP

/// Queue between the network's thread, which receives packets, and the audio thread, which takes them.
///
///     writer ── packet, place ──ring──▶ reader
///            ◀──────── place ──ring────
///
/// Bytes lie in places that come back after they have been read and are given out again, the last one first. Of the
/// memory for a burst, only as much is ever touched as has waited at once.
struct IncomingPackets {
  let memory: PacketMemory
  let packets: Ring<IncomingPacket>
  let places: Ring<Int>

  /// Creates a queue with a capacity in packets; a packet beyond is refused and counted.
  init(capacity: Int) {
    let capacity = max(1, capacity)
    memory = PacketMemory(count: capacity)
    packets = Ring(capacity: capacity, policy: .dropNewest, initial: IncomingPacket())
    places = Ring(capacity: capacity, initial: 0)
  }
}

/// Network's end of the queue. Thread: one at a time.
struct IncomingPacketWriter: ~Copyable {
  private var packets: RingProducer<IncomingPacket>
  private var places: RingConsumer<Int>
  private let memory: PacketMemory
  private var free: [Int]

  /// Takes the network's end; traps if it is taken already.
  init(_ incoming: IncomingPackets) {
    packets = incoming.packets.takeProducer()
    places = incoming.places.takeConsumer()
    memory = incoming.memory
    free = (0..<incoming.packets.capacity).reversed()
  }

  /// Puts a packet into the ring.
  ///
  /// - Returns: false if the ring is full.
  mutating func write(
    _ packet: UnsafeRawBufferPointer, arrival: Int, origin: PacketOrigin, decision: SourceArbiter.Decision?
  ) -> Bool {
    guard let slot = packets.reserve() else { return false }
    // A place comes back before its packet's slot does, so there is one now.
    while let place = places.peek()?.pointee {
      free.append(place)
      places.release(1)
    }
    places.release(0)
    let place = free.removeLast()
    if let base = packet.baseAddress { memory[place].copyMemory(from: base, byteCount: packet.count) }
    slot.pointee.place = place
    slot.pointee.byteCount = packet.count
    slot.pointee.arrival = arrival
    slot.pointee.origin = origin
    slot.pointee.decision = decision
    packets.commit(1)
    return true
  }
}

/// Audio thread's end of the queue. Real-time: wait-free.
struct IncomingPacketReader: ~Copyable {
  private var packets: RingConsumer<IncomingPacket>
  private var places: RingProducer<Int>
  private let bytes: UnsafeMutableRawPointer
  private let bytesPerPlace: Int
  private let memory: PacketMemory

  /// Takes the audio thread's end; traps if it is taken already.
  init(_ incoming: IncomingPackets) {
    packets = incoming.packets.takeConsumer()
    places = incoming.places.takeProducer()
    memory = incoming.memory
    bytes = incoming.memory[0]
    bytesPerPlace = PacketMemory.bytesPerPacket
  }

  /// Gives a receiver the packets that have come; those that come after `now` only if they are not held back.
  @_noLocks
  mutating func deliver(to receiver: inout JitterBuffer, holdsBack: Bool, nowNanoseconds now: Int) {
    while let packet = packets.peek() {
      if holdsBack && packet.pointee.arrival > now {
        packets.release(0)
        return
      }
      let place = packet.pointee.place
      receiver.insert(
        UnsafeRawBufferPointer(
          start: bytes + place &* bytesPerPlace, count: packet.pointee.byteCount),
        arrivalNanoseconds: packet.pointee.arrival, origin: packet.pointee.origin,
        decision: packet.pointee.decision)
      // The ring has capacity for all places.
      _ = places.push(place)
      packets.release(1)
    }
  }
}
