// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Outside",
  dependencies: [.package(name: "audiopipe", path: "../..")],
  targets: [
    .executableTarget(name: "Hello", dependencies: [.product(name: "AudioPipe", package: "audiopipe")]),
    .executableTarget(name: "Observer", dependencies: [.product(name: "AudioPipe", package: "audiopipe")]),
  ]
)
