import AudioGraph
import ChannelTestSupport
import Devices
import Engine
import FrameObservers
import Platform
import TestSupport

@testable import Calls

/// Users 5 and 7 at a relay without sockets, in virtual time. Each has a microphone with a tone.
final class CallRig {
  let rig: EngineRig
  let ann: CallPartner
  let bob: CallPartner
  private var partners: [CallPartner]
  private let heard = Guarded<[UInt32: [(milliseconds: Int, uid: UInt32)]]>([:])

  /// - Parameter delayMilliseconds: Time from a user to the relay, and back.
  init(delayMilliseconds: Int = 0) throws {
    rig = try EngineRig(delayMilliseconds: delayMilliseconds)
    try rig.start()
    let peer = try rig.addPeer(DelegateLog(), channelCount: 1, change: Self.seed(7))
    rig.devices.plug(VirtualDevice(id: "mic7", direction: .capture))
    rig.devices.setSignal(of: "mic7") { Float(0.5 * sine(1_000 * $0)) }
    try peer.pipeline.setLocalSource(.device("mic7", of: rig.devices))
    ann = CallPartner(5, rig.engine)
    bob = CallPartner(7, peer)
    partners = [ann, bob]
    rig.onStep = { [unowned self] in for partner in partners { partner.calls.step() } }
    for partner in partners {
      try partner.engine.pipeline.observe(.beforeMixing) { [heard, clock = partner.engine.clock] frame, origin in
        guard (0..<frame.samplesPerChannel).contains(where: { frame.samples[$0] != 0 }) else { return }
        heard.withLock { $0[partner.user, default: []].append((clock.nowNanoseconds / 1_000_000, origin.uid)) }
      }
    }
    rig.run(to: 0.1)
  }

  /// Gives an engine random numbers of its own: ids of calls must differ.
  private static func seed(_ seed: UInt64) -> (inout RtcEngineOptions) -> Void {
    { $0.environment.makeRandom = { _ in SeededGenerator(seed: seed) } }
  }

  /// Adds a user, and begins its calls.
  func addUser(_ user: UInt32) throws -> CallPartner {
    let partner = CallPartner(user, try rig.addPeer(DelegateLog(), channelCount: 1, change: Self.seed(UInt64(user))))
    partners.append(partner)
    try partner.begin()
    return partner
  }

  /// Forgets a user that was added; its engine stays.
  func removeUser(_ user: UInt32) { partners.removeAll { $0.user == user } }

  /// Opens both sessions, and prepares both users.
  func begin() throws {
    for partner in [ann, bob] { try partner.begin() }
    run(to: 2)
  }

  /// Connects both users.
  func connect() throws {
    bob.accepts.withLock { $0 = true }
    try begin()
    ann.calls.call(7, type: .audio, completion: nil)
    run(for: 1)
  }

  func run(to seconds: Double) { rig.run(to: seconds) }
  func run(for seconds: Double) { rig.run(to: rig.seconds + seconds + 0.001) }

  /// Whether the microphones of users 5 and 7 are open.
  var microphones: [Bool] { [rig.devices.isOpen("mic"), rig.devices.isOpen("mic7")] }

  /// Time of the first sound of the other user since a time, in ms; nil without one.
  func heard(by user: UInt32, from milliseconds: Int) -> Int? {
    heard.withLock { $0[user]?.first { $0.milliseconds >= milliseconds }?.milliseconds }
  }

  /// Users that a user has heard.
  func speakers(heardBy user: UInt32) -> Set<UInt32> { heard.withLock { Set($0[user]?.map(\.uid) ?? []) } }

  func finish() { rig.finish() }
}
