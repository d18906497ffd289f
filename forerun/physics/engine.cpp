#include "forerun/physics/engine.hpp"

#include <mujoco/mujoco.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace forerun::physics {
namespace {

constexpr const char* kFile = "scene.xml";  // of the engine's own file system, in memory

// It would write a file and wait for a key otherwise.
[[noreturn]] void give_up(const char* message) {
  std::fprintf(stderr, "forerun: the physics engine cannot go on: %s\n", message);
  std::abort();
}

// States that burst are found by whoever steps; the engine's log is of no use to a user.
void ignore(const char*) {}

struct Files {
  Files() { mj_defaultVFS(&vfs); }
  ~Files() { mj_deleteVFS(&vfs); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  mjVFS vfs{};
};

}  // namespace

void ModelDeleter::operator()(mjModel_* model) const noexcept { mj_deleteModel(model); }
void DataDeleter::operator()(mjData_* data) const noexcept { mj_deleteData(data); }

Result<ModelPointer> compile_model(const std::string& text) {
  mju_user_error = give_up;
  mju_user_warning = ignore;
  const auto files = std::make_unique<Files>();  // too large for a stack
  mj_makeEmptyFileVFS(&files->vfs, kFile, static_cast<int>(text.size()));
  std::memcpy(files->vfs.filedata[mj_findFileVFS(&files->vfs, kFile)], text.data(), text.size());
  std::array<char, 500> message{};
  ModelPointer model(mj_loadXML(kFile, &files->vfs, message.data(), static_cast<int>(message.size())));
  if (!model) return Error{"the physics engine does not take the scene: " + std::string(message.data())};
  return model;
}

DataPointer make_data(const mjModel_& model) { return DataPointer(mj_makeData(&model)); }

}  // namespace forerun::physics
