import AudioGraph
import Devices
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DeviceChoiceTests {
  private let chosen = VirtualDevice(id: "headset", direction: .capture)
  private let other = VirtualDevice(id: "webcam", direction: .capture, sampleRate: 44_100)

  @Test("the default device takes the place of a chosen one until it returns", .shows("devices: choice"))
  func fallback() throws {
    let lab = try CaptureLab(chosen, signal: { _ in 0.5 })
    lab.devices.plug(other)
    lab.devices.setSignal(of: "webcam") { _ in 0.25 }
    lab.run(.seconds(1))
    #expect(abs((lab.samples.last ?? 0) - 0.5) < 1e-4)
    lab.devices.unplug("headset")
    lab.run(.seconds(1))
    #expect(abs((lab.samples.last ?? 0) - 0.25) < 1e-4)
    lab.devices.plug(chosen)
    lab.run(.seconds(1))
    #expect(abs((lab.samples.last ?? 0) - 0.5) < 1e-4)
    #expect(
      lab.source.takeEvents().map(\.line) == [
        "opened headset", "unplugged headset", "opened webcam", "plugged headset", "opened headset",
      ])
  }

  @Test("without a fallback the source is silent until the device returns", .shows("devices: choice"))
  func noFallback() throws {
    let lab = try CaptureLab(chosen, options: DeviceOptions(fallsBack: false), signal: { _ in 0.5 })
    lab.devices.plug(other)
    lab.run(.seconds(1))
    lab.devices.unplug("headset")
    lab.run(.seconds(1))
    #expect(lab.samples.suffix(480).allSatisfy { $0 == 0 })
    lab.devices.plug(chosen)
    lab.run(.seconds(1))
    #expect(
      lab.source.takeEvents().map(\.line) == [
        "opened headset", "unplugged headset", "failed", "plugged headset", "opened headset",
      ])
  }

  @Test("a device that is open already is refused with its name", .shows("devices: choice"))
  func busy() throws {
    let lab = try CaptureLab(chosen)
    #expect {
      try DeviceSourceDescription.device("headset", of: lab.devices).makeSource(uid: 2, in: CaptureLab.context)
    } throws: { error in
      (error as? DeviceError)?.reason == .busy && "\(error)".contains("headset")
    }
  }

  @Test("a device that does not exist is refused with its name", .shows("devices: choice"))
  func unknown() throws {
    let devices = VirtualDevices(clock: VirtualClock())
    #expect {
      try DeviceSinkDescription.device("nowhere", of: devices).makeSink(in: CaptureLab.context)
    } throws: { error in
      (error as? DeviceError)?.reason == .notFound && "\(error)".contains("nowhere")
    }
  }

  @Test("a source that is detached frees its device", .shows("devices: choice"))
  func detach() throws {
    let lab = try CaptureLab(chosen)
    lab.source.detach()
    let again = try DeviceSourceDescription.device("headset", of: lab.devices)
      .makeSource(uid: 2, in: CaptureLab.context)
    #expect(again.report.openCount == 1)
  }
}
