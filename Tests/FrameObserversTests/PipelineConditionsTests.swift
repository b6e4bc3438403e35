import AudioGraph
import FrameObservers
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PipelineConditionsTests {
  private let healthy = PipelineConditions(
    isRunning: true, isInChannel: true, isCapturing: true, isLocalMuted: false, remotePublisherCount: 1,
    isEarMonitoring: true)

  private let rig: ObserverRig

  init() throws { rig = try ObserverRig(sampleRate: 8_000) }

  private func registration(_ mask: ObserverPosition = ObserverPosition(ObserverPosition.each)) throws
    -> ObserverRegistration
  {
    try rig.add(.readOnly(at: mask) { _, _ in })
  }

  /// The causes by position while `change` is in force; positions that are called are left out.
  private func causes(
    of registration: ObserverRegistration, _ change: (inout PipelineConditions) -> Void = { _ in }
  ) -> [ObserverPosition: [InactivityReason]] {
    var conditions = healthy
    change(&conditions)
    var causes: [ObserverPosition: [InactivityReason]] = [:]
    for position in ObserverPosition.each {
      let found = conditions.diagnose(registration, at: position)
      if !found.isEmpty { causes[position] = found }
    }
    return causes
  }

  private func everywhere(_ cause: InactivityReason) -> [ObserverPosition: [InactivityReason]] {
    Dictionary(uniqueKeysWithValues: ObserverPosition.each.map { ($0, [cause]) })
  }

  @Test("an undisturbed registration has no cause")
  func none() throws {
    #expect(causes(of: try registration()).isEmpty)
  }

  @Test("a registration that has been removed", .shows("F19"))
  func removed() throws {
    let registration = try registration()
    registration.remove()
    #expect(causes(of: registration) == everywhere(.removed))
  }

  @Test("a mask without the position's bit", .shows("F19"))
  func maskBitUnset() throws {
    let registration = try registration(.standard)
    let causes = causes(of: registration)
    #expect(Set(causes.keys) == [.mixed, .beforeMixing, .earMonitoring])
    #expect(causes.values.allSatisfy { $0 == [.maskBitUnset] })
  }

  @Test("nothing that drives the graph", .shows("F19"))
  func notRunning() throws {
    #expect(causes(of: try registration()) { $0.isRunning = false } == everywhere(.notRunning))
  }

  @Test("no channel that was joined", .shows("F19"))
  func notInChannel() throws {
    #expect(causes(of: try registration()) { $0.isInChannel = false } == everywhere(.notInChannel))
  }

  @Test("nothing that captures the local user", .shows("F19"))
  func captureStopped() throws {
    let expected: [ObserverPosition: [InactivityReason]] = [
      .record: [.captureStopped], .earMonitoring: [.captureStopped],
    ]
    #expect(causes(of: try registration()) { $0.isCapturing = false } == expected)
  }

  @Test("a local stream that is muted", .shows("F19"))
  func muted() throws {
    #expect(causes(of: try registration()) { $0.isLocalMuted = true } == [.record: [.muted]])
  }

  @Test("no remote user that publishes", .shows("F19"))
  func noRemotePublisher() throws {
    let expected: [ObserverPosition: [InactivityReason]] = [
      .playback: [.noRemotePublisher], .beforeMixing: [.noRemotePublisher],
    ]
    #expect(causes(of: try registration()) { $0.remotePublisherCount = 0 } == expected)
  }

  @Test("ear monitoring that is off", .shows("F19"))
  func earMonitoringOff() throws {
    #expect(causes(of: try registration()) { $0.isEarMonitoring = false } == [.earMonitoring: [.earMonitoringOff]])
  }

  @Test("all causes are reported, each with its remedy", .shows("F19"))
  func several() throws {
    let registration = try registration([])
    let causes = causes(of: registration) {
      $0.isRunning = false
      $0.isInChannel = false
      $0.isCapturing = false
      $0.isLocalMuted = true
    }
    #expect(causes[.record] == [.maskBitUnset, .notRunning, .notInChannel, .captureStopped, .muted])
    #expect(Set(InactivityReason.allCases.map(\.description)).count == InactivityReason.allCases.count)
    #expect(InactivityReason.allCases.allSatisfy { $0.description.contains("; ") })
  }
}
