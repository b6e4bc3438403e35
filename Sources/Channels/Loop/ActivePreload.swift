import NetworkIO
import Platform
import WebRTC

/// A preload with its network.
///
/// Thread: one at a time, under the lock of the loop.
final class ActivePreload {
  let preload: ChannelPreload
  let network: any MediaNetwork
  /// Place in the order of the engine's preloads.
  let number: Int
  /// Channel that has borrowed the preload and its network.
  private(set) weak var borrower: ActiveChannel?
  private let report: (PreloadEvent) -> Void

  private static let longestBurst = 100

  init(
    _ preload: ChannelPreload, _ network: any MediaNetwork, number: Int, report: @escaping (PreloadEvent) -> Void
  ) {
    self.preload = preload
    self.network = network
    self.number = number
    self.report = report
  }

  /// Gives the preload to a channel until `takeBack`.
  func lend(to channel: ActiveChannel) { borrower = channel }

  /// Continues behind a channel.
  func takeBack(from channel: ActiveChannel, _ now: Int) {
    guard borrower === channel else { return }
    borrower = nil
    preload.resume(nowNanoseconds: now)
  }

  /// Takes the datagrams that have come.
  func receive(_ now: Int) {
    guard borrower == nil else { return }
    for _ in 0..<Self.longestBurst where !network.receive({ take($0, from: $1, now) }) { break }
  }

  /// Sends the preload's datagrams, and reports its events.
  ///
  /// - Returns: Whether there were any events.
  func flush() -> Bool {
    while let datagram = preload.takeDatagram() {
      datagram.bytes.withUnsafeBytes { network.send($0, to: datagram.address) }
    }
    var isActive = false
    while let event = preload.takeEvent() {
      isActive = true
      report(event)
    }
    return isActive
  }

  private func take(_ datagram: UnsafeRawBufferPointer, from source: SocketAddress, _ now: Int) {
    withUnsafeTemporaryAllocation(byteCount: datagram.count, alignment: 16) { memory in
      memory.copyMemory(from: datagram)
      preload.receive(memory, from: source.unmapped, nowNanoseconds: now)
    }
  }
}
