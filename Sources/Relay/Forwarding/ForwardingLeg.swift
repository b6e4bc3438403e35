import RTP
import SRTP
import WebRTC

/// Packets of one publisher to one listener, under an SSRC of their own.
final class ForwardingLeg {
  /// Packets that may be requested: 320 ms of packets of 10 ms.
  static let keptPacketCount = 32
  /// Bytes of the numbers of these packets.
  static let keptByteCount = keptPacketCount * MemoryLayout<Kept>.stride
  /// Age at which a listener's report no longer counts, in nanoseconds.
  static let reportNanoseconds = 10_000_000_000

  /// Number of a packet, and its position in the listener's ring: 48 bits, for 280 TB to a listener.
  private struct Kept {
    static let empty = Kept(word: ~0)
    private let word: UInt64

    private init(word: UInt64) { self.word = word }

    init(_ number: UInt16, at position: Int) { word = UInt64(position) << 16 | UInt64(number) }

    /// The position, if this is the packet with a number.
    func position(of number: UInt16) -> Int? {
      word != Self.empty.word && UInt16(truncatingIfNeeded: word) == number ? Int(word >> 16) : nil
    }
  }

  let publisherUID: UInt32
  /// Packets of the publisher.
  unowned let stream: PublishedStream
  let ssrc: UInt32
  let peer: MediaPeer
  /// Whether the listener takes the packets.
  var isActive: Bool { didSet { if !isActive { rewriter.isInterrupted = true } } }
  /// Whether the publisher is among the speakers that the listener hears.
  var isChosen = true
  /// Whether the listener subscribes, though it may have muted the user.
  var isSubscribed = true
  /// Whether the packets shall be in a section of the listener's SDP.
  var wantsSection = false
  /// Format of the packets.
  var format: PacketFormat
  var rewriter: PacketRewriter
  private(set) var packetCount: UInt32 = 0
  private(set) var octetCount: UInt32 = 0
  /// The listener's last report, and its time.
  private(set) var report: (block: ReportBlock, nanoseconds: Int)?
  /// Share of the packets between the last two reports that were lost, 0...1.
  private var loss = 0.0
  private var lateArrivals = LateArrivals()
  /// Numbers of the last packets with their positions in the listener's ring, at the numbers' lower bits; empty before
  /// the first packet.
  private var kept: UnsafeMutablePointer<Kept>?
  /// Numbers under the listener's key; nil before the first packet.
  private var source: SourceState? { didSet { borrowedSource = source.map(Unmanaged.passUnretained) } }
  /// The same objects, for prefetches that touch no reference count.
  private let borrowedPeer: Unmanaged<MediaPeer>
  private let borrowedTransport: Unmanaged<MediaTransport>
  private var borrowedSource: Unmanaged<SourceState>?

  init(
    publisherUID: UInt32, _ stream: PublishedStream, ssrc: UInt32, _ peer: MediaPeer, isActive: Bool, random: UInt64
  ) {
    self.publisherUID = publisherUID
    self.stream = stream
    self.ssrc = ssrc
    self.peer = peer
    self.isActive = isActive
    borrowedPeer = .passUnretained(peer)
    borrowedTransport = .passUnretained(peer.transport)
    format = peer.looseFormat
    rewriter = PacketRewriter(random: random)
  }

  deinit { kept?.deallocate() }

  /// Encrypts a packet in place.
  ///
  /// - Returns: Bytes of the datagram; nil if the listener is not connected, or the number has been used.
  func protect(_ memory: UnsafeMutableRawBufferPointer, byteCount: Int) -> Int? {
    if source == nil { source = peer.transport.source(ssrc) }
    guard let source else { return nil }
    return peer.transport.protect(memory, byteCount: byteCount, source)
  }

  /// Keeps a protected packet for requests, and counts it.
  func note(_ packet: UnsafeRawBufferPointer, sequenceNumber: UInt16, payloadByteCount: Int, nowNanoseconds: Int) {
    let kept = kept ?? makeKept()
    let position = peer.sent.append(packet, nowNanoseconds: nowNanoseconds)
    kept[Int(sequenceNumber) % Self.keptPacketCount] = position.map { Kept(sequenceNumber, at: $0) } ?? .empty
    packetCount &+= 1
    octetCount &+= UInt32(truncatingIfNeeded: payloadByteCount)
  }

  /// Returns a packet that is requested, with the bytes of the first time; nil if it is no longer kept.
  func sentPacket(_ sequenceNumber: UInt16) -> UnsafeRawBufferPointer? {
    guard let kept else { return nil }
    let position = kept[Int(sequenceNumber) % Self.keptPacketCount].position(of: sequenceNumber)
    return position.flatMap { peer.sent.packet(at: $0) }
  }

  private func makeKept() -> UnsafeMutablePointer<Kept> {
    let memory = UnsafeMutablePointer<Kept>.allocate(capacity: Self.keptPacketCount)
    memory.initialize(repeating: .empty, count: Self.keptPacketCount)
    kept = memory
    return memory
  }

  // MARK: Prefetch

  /// Fetches the objects that the next packet needs.
  func prefetchObjects() {
    Prefetch.memory(borrowedPeer.toOpaque(), byteCount: 320)
    Prefetch.memory(borrowedTransport.toOpaque(), byteCount: 192)
    if let borrowedSource { Prefetch.memory(borrowedSource.toOpaque(), byteCount: 64) }
    if let kept { Prefetch.address(kept + (rewriter.highest &+ 1) & (Self.keptPacketCount - 1)) }
  }

  /// Fetches the memory of those objects.
  func prefetchMemory() {
    if let borrowedSource { Prefetch.address(borrowedSource._withUnsafeGuaranteedRef { $0.nextAddress }) }
    if let address = borrowedPeer._withUnsafeGuaranteedRef({ $0.sent.nextAddress }) { Prefetch.address(address) }
  }

  /// Takes a listener's report.
  func take(_ block: ReportBlock, nowNanoseconds: Int) {
    if let before = report?.block {
      let due = Int(Int32(bitPattern: block.extendedHighestSequenceNumber &- before.extendedHighestSequenceNumber))
      if due > 0 {
        let lost = lateArrivals.subtract(from: block.cumulativeLost &- before.cumulativeLost)
        loss = min(1, Double(lost) / Double(due))
      }
    } else {
      loss = Double(block.fractionLost) / 256
    }
    report = (block, nowNanoseconds)
  }

  /// The listener's loss, 0...1, without packets that were only late; nil without a report of late.
  func loss(_ nowNanoseconds: Int) -> Double? {
    guard let report, nowNanoseconds &- report.nanoseconds <= Self.reportNanoseconds else { return nil }
    return loss
  }
}
