import AudioGraph
import Devices
import Engine
import FileTestSupport
import Foundation
import Metering
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct AudioDeviceTestTests {
  /// The volumes that a test reports.
  private final class Volumes: Sendable {
    private let reports = Guarded<[(AudioDeviceTest.VolumeType, Int)]>([])

    var handler: AudioDeviceTest.VolumeHandler {
      { [self] type, volume in reports.withLock { $0.append((type, volume)) } }
    }

    subscript(type: AudioDeviceTest.VolumeType) -> [Int] {
      reports.withLock { $0.filter { $0.0 == type }.map(\.1) }
    }
  }

  /// Volume of a sine with a peak of 0.5.
  private static let expected = VolumeScale.volume(meanSquare: 0.125)

  private func isExpected(_ volume: Int?) -> Bool { volume.map { abs($0 - Self.expected) <= 1 } ?? false }

  /// Keeps the peak of a loudspeaker's sound.
  private func peak(of id: String, in devices: VirtualDevices) -> Guarded<Float> {
    let peak = Guarded<Float>(0)
    devices.setListener(of: id) { samples, _ in
      peak.withLock { peak in for sample in samples { peak = max(peak, abs(sample)) } }
    }
    return peak
  }

  @Test(
    "devices without hardware have names: a tone, a file, silence",
    arguments: ["virtual:tone=440:ppm=200", "file", "null"])
  func named(id: String) throws {
    let files = TestFiles()
    let sine = (0..<160_000).map { 0.5 * Float(sin(2 * Double.pi * 440 * Double($0) / 16_000)) }
    let path = try files.write("in.wav", [sine, sine], sampleRate: 16_000)
    let volumes = Volumes()
    let test = try AudioDeviceTest.recording(
      from: id == "file" ? "file:\(path)" : id, every: .milliseconds(50), onVolume: volumes.handler)
    #expect(eventually { volumes[.recording].count >= 10 })
    test.stop()
    let last = volumes[.recording].last
    #expect(id == "null" ? last == 0 : isExpected(last), "\(volumes[.recording])")
  }

  @Test(
    "a device's name with a wrong key, value or file is refused",
    arguments: ["virtual:x=1": "no key 'x'", "virtual:ppm=2000": "ppm", "file:/missing.wav": "/missing.wav"])
  func wrongName(id: String, words: String) {
    #expect {
      try AudioDeviceTest.recording(from: id) { _, _ in }.stop()
    } throws: { "\($0)".contains(words) }
  }

  @Test("a recording test reports the volume of a microphone", .shows("D14"))
  func recording() throws {
    let rig = try DeviceRig(microphones: ["mic"])
    let volumes = Volumes()
    let test = try AudioDeviceTest.recording(
      from: "mic", of: rig.devices, every: .milliseconds(100), onVolume: volumes.handler)
    DeviceRig.run(test.pipeline, rig.devices, ticks: 100)
    #expect(volumes[.recording].count == 10 && volumes[.playback].isEmpty)
    #expect(isExpected(volumes[.recording].last), "\(volumes[.recording])")
    test.stop()
    test.stop()
    // The device is free again.
    try AudioDeviceTest.recording(from: "mic", of: rig.devices, every: .milliseconds(100)) { _, _ in }.stop()
  }

  @Test("a playback test plays a file and reports its volume", .shows("D14"))
  func playback() throws {
    let files = TestFiles()
    let path = try files.write(
      "tone.wav", [(0..<48_000).map { Float(0.5 * sin(2 * .pi * 1_000 * Double($0) / 48_000)) }])
    let rig = try DeviceRig(loudspeakers: ["speaker"])
    let (volumes, peak) = (Volumes(), peak(of: "speaker", in: rig.devices))
    let test = try AudioDeviceTest.playback(
      of: path, through: "speaker", of: rig.devices, every: .milliseconds(200), onVolume: volumes.handler)
    DeviceRig.run(test.pipeline, rig.devices, ticks: 100)
    #expect(volumes[.playback].count == 5 && volumes[.recording].isEmpty)
    #expect(isExpected(volumes[.playback].last), "\(volumes[.playback])")
    #expect(abs(peak.withLock { $0 } - 0.5) < 0.01)
    DeviceRig.run(test.pipeline, rig.devices, ticks: 60)
    #expect(volumes[.playback].last == 0)
    test.stop()
  }

  @Test("a loopback test plays its recording and reports both volumes", .shows("D14"))
  func loopback() throws {
    let rig = try DeviceRig(microphones: ["mic"], loudspeakers: ["speaker"])
    let (volumes, peak) = (Volumes(), peak(of: "speaker", in: rig.devices))
    let test = try AudioDeviceTest.loopback(
      from: "mic", through: "speaker", of: rig.devices, every: .milliseconds(200), onVolume: volumes.handler)
    DeviceRig.run(test.pipeline, rig.devices, ticks: 200)
    for type in [AudioDeviceTest.VolumeType.recording, .playback] {
      #expect(volumes[type].count == 10 && isExpected(volumes[type].last), "\(type): \(volumes[type])")
    }
    #expect(abs(peak.withLock { $0 } - 0.5) < 0.01)
    test.stop()
  }

  @Test("a device test that cannot begin throws the reason", .shows("D14"))
  func refused() throws {
    let rig = try DeviceRig(microphones: ["mic"], loudspeakers: ["speaker"])
    let missing = try #require(throws: EngineError.self) {
      _ = try AudioDeviceTest.recording(from: "none", of: rig.devices, every: .milliseconds(100)) { _, _ in }
    }
    #expect((missing.cause as? DeviceError)?.reason == .notFound)
    #expect(throws: EngineError.self) {
      _ = try AudioDeviceTest.playback(
        of: "/nowhere.wav", through: "speaker", of: rig.devices, every: .milliseconds(100)
      ) { _, _ in }
    }
    let interval = try #require(throws: EngineError.self) {
      _ = try AudioDeviceTest.loopback(
        from: "mic", through: "speaker", of: rig.devices, every: .milliseconds(5)
      ) { _, _ in }
    }
    #expect(interval.code == .invalidArgument)
    // A refused test keeps no device.
    try AudioDeviceTest.loopback(
      from: "mic", through: "speaker", of: rig.devices, every: .milliseconds(100)
    ) { _, _ in }.stop()
  }
}
