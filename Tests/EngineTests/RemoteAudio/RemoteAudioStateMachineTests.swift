import TestSupport
import Testing

@testable import Engine
@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct RemoteAudioStateMachineTests {
  /// What can happen to a machine, as tables write it.
  enum Step: Sendable {
    case sees(ReceptionPhase)
    case fails(ReceptionPhase)
    case local(Bool)
    case remote(Bool)
    case leaves
  }

  /// Steps, the last of which brings the changes.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]
    /// State and reason by the numbers of the published table.
    let told: [[Int]]

    init(_ name: String, _ steps: [Step], _ told: [Int]...) {
      self.name = name
      self.steps = steps
      self.told = told
    }

    var testDescription: String { name }
  }

  private static let decoding: [Step] = [.sees(.begun), .sees(.decoded)]
  private static let frozen = decoding + [.sees(.frozen)]
  private static let failed: [Step] = [.fails(.none)]

  static let rows = [
    Row("nothing", [.sees(.none)]),
    Row("stopped to starting by the first packet", [.sees(.begun)], [1, 0]),
    Row("a packet that is played in the tick in which it comes", [.sees(.decoded)], [1, 0], [2, 0]),
    Row("starting to decoding", [.sees(.begun), .sees(.decoded)], [2, 0]),
    Row("starting to frozen", [.sees(.begun), .sees(.frozen)], [3, 1]),
    Row("starting to failed", [.sees(.begun), .fails(.begun)], [4, 0]),
    Row("starting to stopped", [.sees(.begun), .sees(.none)], [0, 7]),
    Row("decoding to frozen", decoding + [.sees(.frozen)], [3, 1]),
    Row("decoding goes on through a sender's restart", decoding + [.sees(.begun)]),
    Row("decoding to stopped: the user has gone", decoding + [.leaves], [0, 7]),
    Row("frozen to decoding", frozen + [.sees(.decoded)], [2, 2]),
    Row("frozen goes on until a packet is played", frozen + [.sees(.begun)]),
    Row("frozen to stopped: 15 s without packets", frozen + [.sees(.none)], [0, 7]),
    Row("frozen to failed", frozen + [.fails(.frozen)], [4, 0]),
    Row("after being offline the next packet is a first one", frozen + [.sees(.none), .sees(.begun)], [1, 0]),
    Row("stopped to failed: nothing that comes can be decoded", [.fails(.none)], [4, 0]),
    Row("failed to decoding", failed + [.sees(.decoded)], [2, 0]),
    Row("failed goes on while packets come", failed + [.fails(.begun)]),
    Row("failed to stopped", failed + [.sees(.none)], [0, 7]),
    Row("failed, and the user goes", failed + [.leaves], [0, 7]),

    Row("starting, muted here", [.sees(.begun), .local(true)], [0, 3]),
    Row("decoding, muted here", decoding + [.local(true)], [0, 3]),
    Row("frozen, muted here", frozen + [.local(true)], [0, 3]),
    Row("failed, muted here", failed + [.local(true)], [0, 3]),
    Row("muted before anything comes", [.local(true)]),
    Row("muted here, what comes is not told", [.local(true), .sees(.begun)]),
    Row("unmuted here: the first frame that is decoded", decoding + [.local(true), .sees(.begun), .local(false)]),
    Row(
      "unmuted here, then decoded", decoding + [.local(true), .sees(.begun), .local(false), .sees(.decoded)], [2, 4]),
    Row("muted and unmuted here within a tick", decoding + [.local(true), .local(false)], [2, 4]),
    Row("unmuted here, without a stream", [.local(true), .local(false), .sees(.begun)], [1, 0]),
    Row(
      "the stream went offline while muted here",
      decoding + [.local(true), .sees(.none), .local(false), .sees(.begun)], [1, 0]),
    Row(
      "muted here from the beginning, unmuted in the stream",
      [.local(true), .sees(.begun), .local(false), .sees(.decoded)], [2, 4]),

    Row("starting, muted there", [.sees(.begun), .remote(true)], [0, 5]),
    Row("decoding, muted there", decoding + [.remote(true)], [0, 5]),
    Row("frozen, muted there", frozen + [.remote(true)], [0, 5]),
    Row("muted there, packets run out", decoding + [.remote(true), .sees(.frozen)]),
    Row("unmuted there: waits for sound", decoding + [.remote(true), .sees(.frozen), .remote(false)]),
    Row(
      "unmuted there, then decoded", decoding + [.remote(true), .sees(.frozen), .remote(false), .sees(.decoded)],
      [2, 6]),
    Row("unmuted there while sound lasts", decoding + [.remote(true), .remote(false)], [2, 6]),
    Row(
      "unmuted there after 15 s: a first packet again",
      decoding + [.remote(true), .sees(.frozen), .sees(.none), .remote(false), .sees(.begun)], [1, 6]),
    Row(
      "and decoding after that has no reason but itself",
      decoding + [.remote(true), .sees(.none), .remote(false), .sees(.begun), .sees(.decoded)], [2, 0]),
    Row(
      "it goes while it waits for sound, and comes again",
      decoding + [.remote(true), .sees(.frozen), .remote(false), .sees(.none), .sees(.begun)], [1, 6]),

    Row("muted here and there: told once", decoding + [.local(true), .remote(true)]),
    Row("unmuted here, and still muted there", decoding + [.local(true), .remote(true), .local(false)]),
    Row(
      "the mute that ends last is the reason", decoding + [.local(true), .remote(true), .local(false), .remote(false)],
      [2, 6]),
    Row(
      "the same the other way round", decoding + [.local(true), .remote(true), .remote(false), .local(false)], [2, 4]),
    Row("a mute that is there already is none", decoding + [.local(true), .local(true)]),
    Row("gone while muted is told by the mute already", decoding + [.local(true), .leaves]),
  ]

  private func take(_ step: Step, _ machine: inout RemoteAudioStateMachine) -> [RemoteAudioStateMachine.Change] {
    switch step {
    case .sees(let phase): machine.observe(phase)
    case .fails(let phase): machine.observe(phase, isFailing: true)
    case .local(let isMuted): machine.setLocallyMuted(isMuted)
    case .remote(let isMuted): machine.setRemotelyMuted(isMuted)
    case .leaves: machine.leave()
    }
  }

  @Test("every transition has its state and its reason", .shows("D5"), arguments: rows)
  func transitions(_ row: Row) {
    var machine = RemoteAudioStateMachine()
    for step in row.steps.dropLast() { _ = take(step, &machine) }
    let told = take(row.steps.last!, &machine)
    #expect(told.map { [$0.state.rawValue, $0.reason.rawValue] } == row.told)
  }

  @Test("the table has every state and every reason")
  func coverage() {
    let told = Self.rows.flatMap(\.told)
    #expect(Set(told.map { $0[0] }) == Set(RemoteAudioState.allCases.map(\.rawValue)))
    #expect(Set(told.map { $0[1] }) == Set(RemoteAudioReason.allCases.map(\.rawValue)))
  }

  @Test(
    "random steps report only changes, and a muted user is stopped", .shows("D5"),
    arguments: 1...20)
  func anything(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var machine = RemoteAudioStateMachine()
    var last = RemoteAudioState.stopped
    for _ in 0..<2_000 {
      let phase = ReceptionPhase.allCases.randomElement(using: &random)!
      let isOn = Bool.random(using: &random)
      let step: Step = [.sees(phase), .sees(phase), .fails(phase), .local(isOn), .remote(isOn), .leaves].randomElement(
        using: &random)!
      for change in take(step, &machine) {
        #expect(change.state != last, "seed \(seed)")
        last = change.state
      }
      #expect(machine.state == last)
      if machine.isLocallyMuted || machine.isRemotelyMuted { #expect(machine.state == .stopped) }
    }
  }
}
