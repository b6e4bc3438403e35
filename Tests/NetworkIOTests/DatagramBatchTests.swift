import Glibc
import Platform
import TestSupport
import Testing

@testable import NetworkIO

@Suite(.timeLimit(.minutes(10))) struct DatagramBatchTests {
  private let sender: UDPSocket
  private let receivers: [UDPSocket]

  init() throws {
    sender = try UDPSocket(at: SocketAddress("127.0.0.1:0"))
    receivers = try (0..<5).map { _ in try UDPSocket(at: SocketAddress("127.0.0.1:0")) }
    for receiver in receivers { _ = receiver.setReceiveBuffer(byteCount: 1 << 20) }
  }

  /// Datagrams for random receivers, in the order of their sending.
  private func send(_ count: Int, sizes: ClosedRange<Int>, by batch: DatagramBatch, seed: UInt64) -> [[[UInt8]]] {
    var random = SeededGenerator(seed: seed)
    var sent = [[[UInt8]]](repeating: [], count: receivers.count)
    for _ in 0..<count {
      let index = Int.random(in: receivers.indices, using: &random)
      let size = Int.random(in: sizes, using: &random)
      let datagram = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      sent[index].append(datagram)
      datagram.withUnsafeBytes { batch.append($0, to: receivers[index].localAddress) }
    }
    batch.flush()
    return sent
  }

  /// Datagrams that have arrived at a receiver.
  private func arrived(_ receiver: UDPSocket) -> [[UInt8]] {
    let memory = DatagramReceiver()
    var datagrams: [[UInt8]] = []
    while memory.receive(
      from: receiver,
      { bytes, source in
        datagrams.append(Array(bytes))
        #expect(source == sender.localAddress)
      }) > 0
    {}
    return datagrams
  }

  @Test(
    "datagrams of one size arrive once and in order, in trains", arguments: [1, 100, 1_200, 1_201, 1_400])
  func order(size: Int) {
    let batch = DatagramBatch(sender)
    let sent = send(300, sizes: size...size, by: batch, seed: 1)
    for (receiver, expected) in zip(receivers, sent) { #expect(arrived(receiver) == expected) }
    #expect(batch.counters.sent == 300 && batch.counters.full == 0 && batch.counters.refused == 0)
    #expect((batch.counters.trains > 0) == (size <= 1_200))
  }

  @Test("datagrams of all sizes arrive once", arguments: [1, 2, 63, 64, 65, 400])
  func sizes(count: Int) {
    let batch = DatagramBatch(sender)
    let sent = send(count, sizes: 0...1_500, by: batch, seed: UInt64(count))
    let inOrder: ([UInt8], [UInt8]) -> Bool = { $0.lexicographicallyPrecedes($1) }
    for (receiver, expected) in zip(receivers, sent) {
      #expect(arrived(receiver).sorted(by: inOrder) == expected.sorted(by: inOrder))
    }
    #expect(batch.counters.sent == count)
  }

  @Test("a batch that is full sends its datagrams and takes further ones")
  func full() {
    let batch = DatagramBatch(sender)
    let sent = send(3 * DatagramBatch.capacity, sizes: 20...20, by: batch, seed: 3)
    for (receiver, expected) in zip(receivers, sent) { #expect(arrived(receiver) == expected) }
    #expect(batch.counters.sent == 3 * DatagramBatch.capacity)
  }

  @Test("a kernel that refuses trains gets single datagrams from then on")
  func fallback() {
    // Without checksums the kernel refuses trains.
    var isOn: Int32 = 1
    setsockopt(sender.descriptor, SOL_SOCKET, SO_NO_CHECK, &isOn, socklen_t(MemoryLayout<Int32>.size))
    let batch = DatagramBatch(sender)
    for seed in 1...2 {
      let sent = send(100, sizes: 50...50, by: batch, seed: UInt64(seed))
      for (receiver, expected) in zip(receivers, sent) { #expect(arrived(receiver) == expected) }
    }
    #expect(batch.counters.sent == 200 && batch.counters.refused == 0 && !batch.counters.usesTrains)
    #expect(batch.counters.trains == 0)
  }

  @Test("a train that one address refuses is sent singly, and trains continue")
  func falseAddress() throws {
    let batch = DatagramBatch(sender)
    let datagram: [UInt8] = [1, 2, 3]
    for address in [receivers[0].localAddress, try SocketAddress("127.0.0.1:0"), receivers[1].localAddress] {
      for _ in 0..<3 { datagram.withUnsafeBytes { batch.append($0, to: address) } }
    }
    batch.flush()
    #expect(batch.counters.sent == 6 && batch.counters.refused == 3 && batch.counters.usesTrains)
    for receiver in receivers[..<2] { #expect(arrived(receiver) == [datagram, datagram, datagram]) }
  }

  @Test("datagrams to one address keep their order, whatever their sizes")
  func orderOfSizes() {
    let batch = DatagramBatch(sender)
    let datagrams = [14, 61, 61, 75, 75, 75, 20, 300, 20].enumerated().map { index, size in
      [UInt8](repeating: UInt8(index), count: size)
    }
    for datagram in datagrams { datagram.withUnsafeBytes { batch.append($0, to: receivers[0].localAddress) } }
    batch.flush()
    #expect(arrived(receivers[0]) == datagrams)
    // 61 61, 75 75 75 20 and 300 20.
    #expect(batch.counters.trains == 3)
  }

  @Test("a refused datagram is counted and stops no other")
  func refused() throws {
    let batch = DatagramBatch(sender)
    let datagram: [UInt8] = [1, 2, 3]
    for address in [receivers[0].localAddress, try SocketAddress("[::1]:9"), receivers[1].localAddress] {
      datagram.withUnsafeBytes { batch.append($0, to: address) }
    }
    batch.flush()
    #expect(batch.counters.sent == 2 && batch.counters.refused == 1 && batch.counters.full == 0)
    #expect(arrived(receivers[0]) == [datagram] && arrived(receivers[1]) == [datagram])
  }
}
