// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Outside",
  dependencies: [.package(name: "audiopipe", path: "../..")],
  targets: [
    .executableTarget(
      name: "Observer",
      dependencies: [
        .product(name: "Engine", package: "audiopipe"),
        .product(name: "FrameObservers", package: "audiopipe"),
        .product(name: "OfflineProcessing", package: "audiopipe"),
      ])
  ]
)
