import Devices
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ALSAHostTests {
  @Test("a device that does not exist cannot be opened", arguments: AudioDirection.allCases)
  func unknown(direction: AudioDirection) {
    let error = #expect(throws: DeviceError.self) {
      try ALSAHost.shared.open("hw:CARD=absent", direction, PCMRequest(sampleRate: 48_000, channelCount: 1))
    }
    // Without permission, no card can be seen.
    #expect(error?.reason == .notFound || error?.reason == .noPermission)
    #expect(error?.message.contains("'hw:CARD=absent'") == true)
  }

  @Test("a PCM without a clock is refused", arguments: AudioDirection.allCases)
  func withoutClock(direction: AudioDirection) {
    let error = #expect(throws: DeviceError.self) {
      try ALSAHost.shared.open("null", direction, PCMRequest(sampleRate: 48_000, channelCount: 1))
    }
    #expect(error?.reason == .unsupportedFormat)
  }

  @Test("a list names each device, and one default, once per direction")
  func list() {
    let devices = ALSAHost.shared.devices()
    for direction in AudioDirection.allCases {
      let ids = devices.filter { $0.direction == direction }.map(\.id)
      #expect(Set(ids).count == ids.count)
      #expect(devices.count { $0.direction == direction && $0.isDefault } <= 1)
    }
  }
}
