import Engine
import Metering
import Platform

/// The room of a call: passes its events on.
final class CallRoom: RtcEngineDelegate {
  let attempt: Int
  private let peer: UInt32
  private let connection = Guarded<RtcConnection?>(nil)
  private let take: @Sendable (@escaping @Sendable (inout CallMachine, _ now: Int) -> Void) -> Void
  private let willExpire: @Sendable () -> Void

  /// - Parameters:
  ///   - attempt: Number of the join.
  ///   - peer: The other user of the call.
  ///   - willExpire: Called before the token expires.
  ///   - take: Passes news to the machine.
  init(
    _ attempt: Int, _ peer: UInt32, willExpire: @escaping @Sendable () -> Void,
    take: @escaping @Sendable (@escaping @Sendable (inout CallMachine, _ now: Int) -> Void) -> Void
  ) {
    self.attempt = attempt
    self.peer = peer
    self.willExpire = willExpire
    self.take = take
  }

  /// Joins the room.
  func join(_ room: String, token: String, user: UInt32, isAccepted: Bool, with engine: RtcEngine) {
    do throws(ChannelError) {
      let new = try engine.joinRoom(room, token: token, user: user, isOpen: isAccepted, delegate: self) {
        [take, attempt] result in
        take { machine, now in
          switch result {
          case .success: machine.joined(attempt, now)
          case .failure(let error): machine.failed(attempt, error, now)
          }
        }
      }
      connection.withLock { $0 = new }
    } catch {
      take { [attempt] machine, now in machine.failed(attempt, error, now) }
    }
  }

  /// Opens the microphone, and hears the room.
  func open() { current?.openRoom() }

  /// Leaves the room.
  ///
  /// - Parameter completion: Called behind the leave.
  func leave(_ completion: @escaping @Sendable () -> Void) {
    guard let current else { return completion() }
    current.leave { _ in completion() }
  }

  func renew(_ token: String) { try? current?.renewToken(token) }

  private var current: RtcConnection? { connection.withLock { $0 } }

  // MARK: Events

  func rtcEngine(
    _ engine: RtcEngine, connectionStateChanged state: ConnectionState, reason: ConnectionReason
  ) {
    switch state {
    case .reconnecting: return take { [attempt] machine, now in machine.interrupted(attempt, now) }
    case .connected: return take { [attempt] machine, _ in machine.recovered(attempt) }
    case .failed, .disconnected: break
    case .connecting: return
    }
    let error = current?.failure ?? ChannelError(.general, "the relay has ended the stay in the room; call again")
    take { [attempt] machine, now in
      if reason == .sameUserLogin { machine.replaced(attempt, error, now) } else { machine.failed(attempt, error, now) }
    }
  }

  func rtcEngine(_ engine: RtcEngine, didJoinedOfUid uid: UInt32, elapsed: Int) {
    // A call has two users: nobody else is heard.
    if uid != peer { current?.muteRemote(uid, true) }
    let isMuted = current?.users.contains { $0.uid == uid && $0.muted } == true
    take { [attempt] machine, now in
      machine.peerJoined(attempt, uid)
      if isMuted { machine.peerMuted(attempt, uid, true, now) }
    }
  }

  func rtcEngine(_ engine: RtcEngine, didOfflineOfUid uid: UInt32, reason: OfflineReason) {
    take { [attempt] machine, now in machine.peerLeft(attempt, uid, reason, now) }
  }

  func rtcEngine(_ engine: RtcEngine, remoteAudioStateChanged change: RemoteAudioChange) {
    guard change.state == .decoding else { return }
    take { [attempt] machine, now in machine.heardPeer(attempt, change.speaker.uid, now) }
  }

  func rtcEngine(_ engine: RtcEngine, didAudioMuted isMuted: Bool, byUid uid: UInt32) {
    take { [attempt] machine, now in machine.peerMuted(attempt, uid, isMuted, now) }
  }

  func rtcEngine(_ engine: RtcEngine, firstLocalAudioFramePublished elapsed: Int) {
    take { [attempt] machine, _ in machine.published(attempt) }
  }

  func rtcEngine(_ engine: RtcEngine, tokenPrivilegeWillExpire token: String) { willExpire() }
}
