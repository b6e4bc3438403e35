import NetworkIO
import Platform
import WebRTC

/// A preload with its network.
///
/// Thread: one at a time, under the lock of the loop.
final class ActivePreload {
  let preload: ChannelPreload
  private(set) var network: any MediaNetwork
  /// Place in the order of the engine's preloads.
  let number: Int
  private let makeNetwork: () throws(ChannelError) -> any MediaNetwork
  private let report: (PreloadEvent) -> Void

  private static let longestBurst = 100

  /// - Throws: `ChannelError` with code `.notReady` if the system gives no socket.
  init(
    _ preload: ChannelPreload, number: Int, makeNetwork: @escaping () throws(ChannelError) -> any MediaNetwork,
    report: @escaping (PreloadEvent) -> Void
  ) throws(ChannelError) {
    self.preload = preload
    self.number = number
    self.makeNetwork = makeNetwork
    self.report = report
    network = try makeNetwork()
  }

  /// Continues behind a channel, which keeps the network.
  func takeBack(_ now: Int) {
    guard preload.isLent else { return }
    do throws(ChannelError) { network = try makeNetwork() } catch { return preload.end(error, nowNanoseconds: now) }
    preload.resume(nowNanoseconds: now)
  }

  /// Takes the datagrams that have come.
  func receive(_ now: Int) {
    guard !preload.isLent else { return }
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
