import Platform
import RelayClient
import WebRTC

/// A preload of a user, and its datagrams.
final class SessionPreload {
  let preload: ChannelPreload
  private(set) var media: RigMedia
  /// Events, each with its time in ms.
  private(set) var log: [String] = []
  private unowned let user: SessionUser
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  init(_ preload: ChannelPreload, of user: SessionUser, _ media: RigMedia) {
    self.preload = preload
    self.user = user
    self.media = media
    listen()
  }

  deinit { memory.deallocate() }

  var room: String { preload.channel.text }

  /// Continues behind a channel, which keeps the datagrams.
  func takeBack(_ new: RigMedia, _ now: Int) {
    media = new
    listen()
    preload.resume(nowNanoseconds: now)
  }

  /// - Returns: Whether there were any events.
  func flush(_ now: Int) -> Bool {
    while let datagram = preload.takeDatagram() { media.send(datagram.bytes) }
    var isActive = false
    while let event = preload.takeEvent() {
      isActive = true
      log.append("\(now / 1_000_000) \(event.summary)")
    }
    return isActive
  }

  private func listen() {
    media.receive = { [unowned self] bytes, source, now in
      memory.copyBytes(from: bytes)
      preload.receive(
        UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]), from: source, nowNanoseconds: now)
      user.hasNews = true
    }
  }
}

extension PreloadEvent {
  /// Short text for exact lists.
  fileprivate var summary: String {
    switch self {
    case .ready: "ready"
    case .ended(let error): error.map { "ended \($0.code.rawValue)" } ?? "ended"
    }
  }
}
